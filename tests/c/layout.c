/*
 * Prints size and place of every struct of the header and its fields as the C compiler sees them:
 * a line `struct size` for each struct, and `struct.field offset size` for each of its fields.
 */
#include <stddef.h>
#include <stdio.h>

#include "wobble.h"

#define STRUCT(type) printf(#type " %u\n", (unsigned)sizeof(struct type))
#define FIELD(type, field)                                                                                             \
    printf(#type "." #field " %u %u\n", (unsigned)offsetof(struct type, field),                                        \
           (unsigned)sizeof(((struct type *)0)->field))

static void print_values(void) {
    STRUCT(WobbleVec3);
    FIELD(WobbleVec3, x);
    FIELD(WobbleVec3, y);
    FIELD(WobbleVec3, z);
    STRUCT(WobbleQuat);
    FIELD(WobbleQuat, x);
    FIELD(WobbleQuat, y);
    FIELD(WobbleQuat, z);
    FIELD(WobbleQuat, w);
    STRUCT(WobbleBounds);
    FIELD(WobbleBounds, low);
    FIELD(WobbleBounds, high);
    STRUCT(WobbleTransform);
    FIELD(WobbleTransform, rotation);
    FIELD(WobbleTransform, position);
    STRUCT(WobbleMembership);
    FIELD(WobbleMembership, member);
    FIELD(WobbleMembership, cluster);
    FIELD(WobbleMembership, weight);
    STRUCT(WobbleClusterPlane);
    FIELD(WobbleClusterPlane, cluster);
    FIELD(WobbleClusterPlane, normal);
    FIELD(WobbleClusterPlane, offset);
    STRUCT(WobbleView);
    FIELD(WobbleView, data);
    FIELD(WobbleView, count);
    FIELD(WobbleView, stride);
}

static void print_handles(void) {
    STRUCT(WobbleWorld);
    FIELD(WobbleWorld, bits);
    STRUCT(WobbleShape);
    FIELD(WobbleShape, bits);
    STRUCT(WobbleBody);
    FIELD(WobbleBody, bits);
    STRUCT(WobbleCollider);
    FIELD(WobbleCollider, bits);
}

static void print_colliders(void) {
    STRUCT(WobbleColliderDef);
    FIELD(WobbleColliderDef, struct_size);
    FIELD(WobbleColliderDef, kind);
    FIELD(WobbleColliderDef, normal);
    FIELD(WobbleColliderDef, offset);
    FIELD(WobbleColliderDef, half_extents);
    FIELD(WobbleColliderDef, half_height);
    FIELD(WobbleColliderDef, radius);
    FIELD(WobbleColliderDef, position);
    FIELD(WobbleColliderDef, rotation);
    FIELD(WobbleColliderDef, velocity);
    FIELD(WobbleColliderDef, angular_velocity);
    FIELD(WobbleColliderDef, conveyor);
    FIELD(WobbleColliderDef, friction);
    FIELD(WobbleColliderDef, restitution);
    FIELD(WobbleColliderDef, combine);
    FIELD(WobbleColliderDef, group);
    FIELD(WobbleColliderDef, mask);
    FIELD(WobbleColliderDef, points);
    FIELD(WobbleColliderDef, point_count);
    FIELD(WobbleColliderDef, point_stride);
    FIELD(WobbleColliderDef, indices);
    FIELD(WobbleColliderDef, heights);
    FIELD(WobbleColliderDef, index_count);
    FIELD(WobbleColliderDef, columns);
    FIELD(WobbleColliderDef, rows);
    FIELD(WobbleColliderDef, spacing_x);
    FIELD(WobbleColliderDef, spacing_z);
    FIELD(WobbleColliderDef, enabled);
    STRUCT(WobbleContact);
    FIELD(WobbleContact, body);
    FIELD(WobbleContact, other_body);
    FIELD(WobbleContact, other_collider);
    FIELD(WobbleContact, phase);
    FIELD(WobbleContact, cluster);
    FIELD(WobbleContact, point);
    FIELD(WobbleContact, normal);
    FIELD(WobbleContact, impulse);
    FIELD(WobbleContact, reserved);
}

static void print_definitions(void) {
    STRUCT(WobbleWorldDef);
    FIELD(WobbleWorldDef, struct_size);
    FIELD(WobbleWorldDef, threads);
    FIELD(WobbleWorldDef, substeps);
    FIELD(WobbleWorldDef, gravity);
    FIELD(WobbleWorldDef, contact_threshold);
    FIELD(WobbleWorldDef, max_contacts);
    FIELD(WobbleWorldDef, sleeping);
    FIELD(WobbleWorldDef, sleep_speed);
    print_colliders();
    STRUCT(WobbleShapeDef);
    FIELD(WobbleShapeDef, struct_size);
    FIELD(WobbleShapeDef, algorithm);
    FIELD(WobbleShapeDef, kernel);
    FIELD(WobbleShapeDef, kernel_parameter);
    FIELD(WobbleShapeDef, nesting);
    FIELD(WobbleShapeDef, particles_per_cluster);
    FIELD(WobbleShapeDef, finest_clusters);
    FIELD(WobbleShapeDef, max_levels);
    FIELD(WobbleShapeDef, radius);
    FIELD(WobbleShapeDef, radius_growth);
    FIELD(WobbleShapeDef, overlap);
    FIELD(WobbleShapeDef, max_rounds);
    FIELD(WobbleShapeDef, threads);
    FIELD(WobbleShapeDef, reserved);
    FIELD(WobbleShapeDef, seed);
    FIELD(WobbleShapeDef, progress);
    FIELD(WobbleShapeDef, progress_user);
    STRUCT(WobbleBodyDef);
    FIELD(WobbleBodyDef, struct_size);
    FIELD(WobbleBodyDef, position);
    FIELD(WobbleBodyDef, rotation);
    FIELD(WobbleBodyDef, velocity);
    FIELD(WobbleBodyDef, material);
    FIELD(WobbleBodyDef, friction);
    FIELD(WobbleBodyDef, restitution);
    FIELD(WobbleBodyDef, combine);
    FIELD(WobbleBodyDef, group);
    FIELD(WobbleBodyDef, mask);
    FIELD(WobbleBodyDef, radius);
    FIELD(WobbleBodyDef, can_sleep);
    FIELD(WobbleBodyDef, reserved);
    STRUCT(WobbleMaterial);
    FIELD(WobbleMaterial, struct_size);
    FIELD(WobbleMaterial, stiffness_kind);
    FIELD(WobbleMaterial, stiffness);
    FIELD(WobbleMaterial, damping_kind);
    FIELD(WobbleMaterial, damping);
    FIELD(WobbleMaterial, damping_form);
    FIELD(WobbleMaterial, rotation);
    FIELD(WobbleMaterial, goals);
    FIELD(WobbleMaterial, goals_beta);
    FIELD(WobbleMaterial, strain_rounds);
    FIELD(WobbleMaterial, strain_gamma);
    FIELD(WobbleMaterial, strain_omega);
    FIELD(WobbleMaterial, gravity_scale);
    FIELD(WobbleMaterial, rebound);
    FIELD(WobbleMaterial, volume_stiffness);
    FIELD(WobbleMaterial, pressure);
}

static void print_reports(void) {
    STRUCT(WobbleProfile);
    FIELD(WobbleProfile, struct_size);
    FIELD(WobbleProfile, substeps);
    FIELD(WobbleProfile, matching);
    FIELD(WobbleProfile, goals);
    FIELD(WobbleProfile, integrate);
    FIELD(WobbleProfile, strain);
    FIELD(WobbleProfile, total);
    FIELD(WobbleProfile, strain_rounds);
    FIELD(WobbleProfile, strain_fits);
    FIELD(WobbleProfile, contacts);
    FIELD(WobbleProfile, contact_count);
    FIELD(WobbleProfile, plasticity);
    FIELD(WobbleProfile, recluster);
    FIELD(WobbleProfile, embed);
    FIELD(WobbleProfile, new_clusters);
    STRUCT(WobbleStatistics);
    FIELD(WobbleStatistics, struct_size);
    FIELD(WobbleStatistics, bodies);
    FIELD(WobbleStatistics, enabled);
    FIELD(WobbleStatistics, frozen);
    FIELD(WobbleStatistics, colliders);
    FIELD(WobbleStatistics, threads);
    FIELD(WobbleStatistics, particles);
    FIELD(WobbleStatistics, clusters);
    FIELD(WobbleStatistics, memberships);
    FIELD(WobbleStatistics, body_bytes);
    FIELD(WobbleStatistics, shape_bytes);
    FIELD(WobbleStatistics, sleeping);
    FIELD(WobbleStatistics, shapes);
    STRUCT(WobbleLevelReport);
    FIELD(WobbleLevelReport, struct_size);
    FIELD(WobbleLevelReport, clusters);
    FIELD(WobbleLevelReport, rounds);
    FIELD(WobbleLevelReport, converged);
    FIELD(WobbleLevelReport, radius);
    FIELD(WobbleLevelReport, overlap);
    FIELD(WobbleLevelReport, memberships_per_particle);
    FIELD(WobbleLevelReport, seconds);
}

static void print_meshes(void) {
    STRUCT(WobbleMeshDef);
    FIELD(WobbleMeshDef, struct_size);
    FIELD(WobbleMeshDef, vertex_count);
    FIELD(WobbleMeshDef, positions);
    FIELD(WobbleMeshDef, normals);
    FIELD(WobbleMeshDef, tangents);
    FIELD(WobbleMeshDef, indices);
    FIELD(WobbleMeshDef, stiffness);
    FIELD(WobbleMeshDef, damping);
    FIELD(WobbleMeshDef, pin);
    FIELD(WobbleMeshDef, density);
    FIELD(WobbleMeshDef, positions_stride);
    FIELD(WobbleMeshDef, normals_stride);
    FIELD(WobbleMeshDef, tangents_stride);
    FIELD(WobbleMeshDef, index_count);
    FIELD(WobbleMeshDef, index_size);
    FIELD(WobbleMeshDef, stiffness_stride);
    FIELD(WobbleMeshDef, damping_stride);
    FIELD(WobbleMeshDef, pin_stride);
    FIELD(WobbleMeshDef, density_stride);
    FIELD(WobbleMeshDef, toughness_stride);
    FIELD(WobbleMeshDef, toughness);
    STRUCT(WobbleSamplingDef);
    FIELD(WobbleSamplingDef, struct_size);
    FIELD(WobbleSamplingDef, pattern);
    FIELD(WobbleSamplingDef, count);
    FIELD(WobbleSamplingDef, spacing);
    FIELD(WobbleSamplingDef, surface);
    FIELD(WobbleSamplingDef, fill);
    FIELD(WobbleSamplingDef, density);
    FIELD(WobbleSamplingDef, thickness);
    FIELD(WobbleSamplingDef, weld);
    FIELD(WobbleSamplingDef, reserved);
    FIELD(WobbleSamplingDef, seed);
    STRUCT(WobbleSkinBuffers);
    FIELD(WobbleSkinBuffers, struct_size);
    FIELD(WobbleSkinBuffers, capacity);
    FIELD(WobbleSkinBuffers, positions);
    FIELD(WobbleSkinBuffers, normals);
    FIELD(WobbleSkinBuffers, tangents);
    FIELD(WobbleSkinBuffers, previous);
    FIELD(WobbleSkinBuffers, positions_stride);
    FIELD(WobbleSkinBuffers, normals_stride);
    FIELD(WobbleSkinBuffers, tangents_stride);
    FIELD(WobbleSkinBuffers, previous_stride);
    FIELD(WobbleSkinBuffers, fraction);
    FIELD(WobbleSkinBuffers, reserved);
    FIELD(WobbleSkinBuffers, frame);
    STRUCT(WobbleSolidDef);
    FIELD(WobbleSolidDef, struct_size);
    FIELD(WobbleSolidDef, kind);
    FIELD(WobbleSolidDef, size);
    FIELD(WobbleSolidDef, radius);
    FIELD(WobbleSolidDef, tube);
    FIELD(WobbleSolidDef, height);
    FIELD(WobbleSolidDef, low);
    FIELD(WobbleSolidDef, high);
    FIELD(WobbleSolidDef, distance);
    FIELD(WobbleSolidDef, distance_user);
    FIELD(WobbleSolidDef, cells);
    FIELD(WobbleSolidDef, threads);
}

static void print_touching(void) {
    STRUCT(WobbleAttachment);
    FIELD(WobbleAttachment, bits);
    STRUCT(WobbleField);
    FIELD(WobbleField, bits);
    STRUCT(WobblePartner);
    FIELD(WobblePartner, body);
    FIELD(WobblePartner, collider);
    STRUCT(WobbleHit);
    FIELD(WobbleHit, body);
    FIELD(WobbleHit, collider);
    FIELD(WobbleHit, found);
    FIELD(WobbleHit, point);
    FIELD(WobbleHit, normal);
    FIELD(WobbleHit, distance);
    FIELD(WobbleHit, particle);
    FIELD(WobbleHit, cluster);
    STRUCT(WobbleAttachmentDef);
    FIELD(WobbleAttachmentDef, struct_size);
    FIELD(WobbleAttachmentDef, position);
    FIELD(WobbleAttachmentDef, rotation);
    FIELD(WobbleAttachmentDef, hertz);
    FIELD(WobbleAttachmentDef, damping_ratio);
    FIELD(WobbleAttachmentDef, break_force);
    STRUCT(WobbleJointDef);
    FIELD(WobbleJointDef, struct_size);
    FIELD(WobbleJointDef, point);
    FIELD(WobbleJointDef, other_point);
    FIELD(WobbleJointDef, radius);
    FIELD(WobbleJointDef, length);
    FIELD(WobbleJointDef, hertz);
    FIELD(WobbleJointDef, damping_ratio);
    FIELD(WobbleJointDef, break_force);
    STRUCT(WobbleDragDef);
    FIELD(WobbleDragDef, struct_size);
    FIELD(WobbleDragDef, point);
    FIELD(WobbleDragDef, radius);
    FIELD(WobbleDragDef, hertz);
    FIELD(WobbleDragDef, damping_ratio);
    FIELD(WobbleDragDef, max_force);
    STRUCT(WobbleFieldDef);
    FIELD(WobbleFieldDef, struct_size);
    FIELD(WobbleFieldDef, kind);
    FIELD(WobbleFieldDef, velocity);
    FIELD(WobbleFieldDef, drag);
    FIELD(WobbleFieldDef, gusts);
    FIELD(WobbleFieldDef, gust_hertz);
    FIELD(WobbleFieldDef, centre);
    FIELD(WobbleFieldDef, strength);
    FIELD(WobbleFieldDef, radius);
    FIELD(WobbleFieldDef, normal);
    FIELD(WobbleFieldDef, offset);
    FIELD(WobbleFieldDef, density_ratio);
    FIELD(WobbleFieldDef, mask);
    FIELD(WobbleFieldDef, body);
    STRUCT(WobbleParticlesDef);
    FIELD(WobbleParticlesDef, struct_size);
    FIELD(WobbleParticlesDef, count);
    FIELD(WobbleParticlesDef, points);
    FIELD(WobbleParticlesDef, masses);
    FIELD(WobbleParticlesDef, stiffness);
    FIELD(WobbleParticlesDef, damping);
    FIELD(WobbleParticlesDef, pin);
    FIELD(WobbleParticlesDef, points_stride);
    FIELD(WobbleParticlesDef, masses_stride);
    FIELD(WobbleParticlesDef, stiffness_stride);
    FIELD(WobbleParticlesDef, damping_stride);
    FIELD(WobbleParticlesDef, pin_stride);
    FIELD(WobbleParticlesDef, toughness_stride);
    FIELD(WobbleParticlesDef, toughness);
}

static void print_lasting(void) {
    STRUCT(WobblePlasticity);
    FIELD(WobblePlasticity, struct_size);
    FIELD(WobblePlasticity, yield_strain);
    FIELD(WobblePlasticity, flow);
    FIELD(WobblePlasticity, hardening);
    FIELD(WobblePlasticity, limit);
    FIELD(WobblePlasticity, recovery);
    FIELD(WobblePlasticity, recluster);
    FIELD(WobblePlasticity, fade);
    FIELD(WobblePlasticity, most_new_clusters);
    STRUCT(WobbleFracture);
    FIELD(WobbleFracture, struct_size);
    FIELD(WobbleFracture, toughness);
    FIELD(WobbleFracture, smallest);
    STRUCT(WobbleBreak);
    FIELD(WobbleBreak, body);
    FIELD(WobbleBreak, piece);
    FIELD(WobbleBreak, first_particle);
    FIELD(WobbleBreak, particle_count);
    FIELD(WobbleBreak, is_debris);
    FIELD(WobbleBreak, reserved);
    STRUCT(WobbleSkinSource);
    FIELD(WobbleSkinSource, first);
    FIELD(WobbleSkinSource, second);
    FIELD(WobbleSkinSource, share);
    FIELD(WobbleSkinSource, is_cap);
}

int main(void) {
    print_values();
    print_handles();
    print_definitions();
    print_reports();
    print_meshes();
    print_touching();
    print_lasting();
    return 0;
}
