/* Shapes from particles with maps and a mesh, and what can be read back of shapes, colliders and surfaces. */
#include "mesh.h"

static void particles_carry_a_mesh_and_what_is_painted(void) {
    WobbleParticlesDef def;
    WobbleMeshDef mesh = sphere();
    WobbleShape shape, plain, same;
    WobbleWorld world = calm_world();
    WobbleBody body;
    WobbleSkinBuffers skin;
    static float masses[COUNT], pins[COUNT], out[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4];
    uint32_t count = 0, found[COUNT];
    uint64_t first = 0, second = 1;
    float mass, spacing;
    OK(wobble_particles_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.points == NULL && def.count == 0);
    def.points = cube_points();
    def.count = COUNT;
    OK(wobble_shape_create_from_particles(&def, NULL, NULL, &plain));
    same = cube();
    OK(wobble_shape_fingerprint(plain, &first));
    OK(wobble_shape_fingerprint(same, &second));
    CHECK(first == second);
    for (int i = 0; i < COUNT; i++) {
        masses[i] = 2;
        pins[i] = i == 7 || i == 11 ? 1.0f : 0.2f;
    }
    def.masses = masses;
    def.stiffness = masses;
    def.damping = masses;
    def.pin = pins;
    OK(wobble_shape_create_from_particles(&def, &mesh, NULL, &shape));
    OK(wobble_shape_mass(shape, &mass));
    NEAR(mass, 2 * COUNT, 1e-2);
    OK(wobble_shape_spacing(shape, &spacing));
    NEAR(spacing, 0.25, 1e-5);
    OK(wobble_shape_pin_count(shape, &count));
    CHECK(count == 2);
    OK(wobble_shape_pins(shape, found, COUNT, &count));
    CHECK(count == 2 && found[0] == 7 && found[1] == 11);
    OK(wobble_shape_vertex_count(shape, &count));
    CHECK(count == VERTICES);
    OK(wobble_shape_normals(shape, normals[0], 0, VERTICES));
    OK(wobble_shape_tangents(shape, tangents[0], 0, VERTICES));
    for (int i = 0; i < VERTICES; i++) {
        NEAR(normals[i][1], vertices[i].normal[1], 1e-5);
        NEAR(tangents[i][0], vertices[i].tangent[0], 1e-5);
        CHECK(tangents[i][3] == -1);
    }
    OK(wobble_body_create(world, shape, NULL, &body));
    OK(wobble_body_is_pinned(body, 7, &count));
    CHECK(count == 1);
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.positions = out[0];
    skin.capacity = VERTICES;
    OK(wobble_body_read_skin(body, &skin, NULL));
    NEAR(out[40][0], vertices[40].position[0], 1e-4);
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(plain));
    OK(wobble_shape_release(same));
    OK(wobble_world_destroy(world));
}

static void what_was_set_can_be_asked(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleColliderDef def, back;
    WobbleCollider collider, all[2];
    float friction, restitution, radius, threshold;
    uint32_t combine, group, mask, touching, count, touches_itself, proxies;
    WobbleVec3 above = vec3(0, 0.49f, 0);
    OK(wobble_body_set_surface(body, 0.25f, 0.75f, WOBBLE_COMBINE_MULTIPLY));
    OK(wobble_body_set_touch(body, 0.25f, 1, 1));
    OK(wobble_body_touch(body, &friction, &touches_itself, &proxies));
    CHECK(friction == 0.25f && touches_itself == 1 && proxies == 1);
    OK(wobble_body_surface(body, &friction, &restitution, &combine));
    CHECK(friction == 0.25f && restitution == 0.75f && combine == WOBBLE_COMBINE_MULTIPLY);
    OK(wobble_body_set_groups(body, 6, 9));
    OK(wobble_body_groups(body, &group, &mask));
    CHECK(group == 6 && mask == 9);
    OK(wobble_body_set_particle_radius(body, 0.125f));
    OK(wobble_body_particle_radius(body, &radius));
    CHECK(radius == 0.125f);
    OK(wobble_world_set_contact_reporting(world, 0.5f, 12));
    OK(wobble_world_contact_reporting(world, &threshold, &count));
    CHECK(threshold == 0.5f && count == 12);
    OK(wobble_collider_def_init(&def, sizeof def));
    OK(wobble_collider_def_init(&back, sizeof back));
    for (uint32_t kind = WOBBLE_COLLIDER_PLANE; kind <= WOBBLE_COLLIDER_CYLINDER; kind++) {
        def.kind = kind;
        def.normal = vec3(0, 3, 0);
        def.offset = 2;
        def.half_extents = vec3(1, 2, 3);
        def.half_height = 4;
        def.radius = 5;
        def.conveyor.z = 7;
        def.enabled = kind % 2;
        OK(wobble_collider_create(world, &def, &collider));
        OK(wobble_collider_definition(collider, &back));
        CHECK(back.kind == kind && back.conveyor.z == 7 && back.enabled == kind % 2 && back.points == NULL);
        CHECK(kind != WOBBLE_COLLIDER_PLANE || (back.normal.y == 1 && back.offset == 2));
        CHECK(kind != WOBBLE_COLLIDER_SPHERE || back.radius == 5);
        CHECK(kind != WOBBLE_COLLIDER_BOX || back.half_extents.z == 3);
        CHECK(kind < WOBBLE_COLLIDER_CAPSULE || (back.half_height == 4 && back.radius == 5));
        OK(wobble_collider_destroy(collider));
    }
    for (uint32_t closed = 0; closed <= 1; closed++) {
        static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
        uint32_t solid = 7;
        def.kind = WOBBLE_COLLIDER_MESH;
        def.points = corners[0];
        def.point_count = 4;
        def.indices = faces;
        def.index_count = closed ? 12 : 9;
        OK(wobble_collider_create(world, &def, &collider));
        OK(wobble_collider_is_solid(collider, &solid));
        CHECK(solid == closed);
        OK(wobble_collider_definition(collider, &back));
        CHECK(back.kind == (closed ? WOBBLE_COLLIDER_MESH : WOBBLE_COLLIDER_SURFACE));
        OK(wobble_collider_destroy(collider));
        def.kind = WOBBLE_COLLIDER_SURFACE;
        OK(wobble_collider_create(world, &def, &collider));
        OK(wobble_collider_is_solid(collider, &solid));
        CHECK(solid == 0);
        OK(wobble_collider_destroy(collider));
    }
    OK(wobble_world_collider_count(world, &count));
    CHECK(count == 0);
    OK(wobble_collider_create(world, NULL, &collider));
    OK(wobble_world_collider_count(world, &count));
    CHECK(count == 1);
    OK(wobble_world_colliders(world, all, 2, &count));
    CHECK(count == 1 && all[0].bits == collider.bits);
    OK(wobble_body_is_touching(body, &touching));
    CHECK(touching == 0);
    OK(wobble_body_set_groups(body, 1, 1));
    OK(wobble_body_teleport(body, &above, NULL));
    OK(wobble_world_step(world, 0.01f));
    OK(wobble_body_is_touching(body, &touching));
    CHECK(touching == 1);
    OK(wobble_world_destroy(world));
}

int main(void) {
    make_sphere();
    particles_carry_a_mesh_and_what_is_painted();
    what_was_set_can_be_asked();
    return 0;
}
