/* Null and misaligned pointers, wrong sizes and small buffers for every function about attachments, force
 * fields, queries, particles and what is read back. */
#include "mesh.h"

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
#define WRONG_SIZE(word, call) REFUSED(WOBBLE_STATUS_STRUCT_SIZE, word, call)
#define TOO_SMALL(word, call) REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, word, call)

static WobbleWorld world;
static WobbleBody body;
static WobbleVec3 vector = {0, 0, 0}, half = {1, 1, 1};
static uint32_t number, count;
static float value;
static uint64_t room[8];

static void attachments(void) {
    WobbleAttachmentDef def;
    WobbleJointDef joint;
    WobbleDragDef drag;
    WobbleAttachment made;
    const uint32_t particles[2] = {0, 1};
    void *odd = (char *)room + 1;
    NULL_POINTER("def", wobble_attachment_def_init(NULL, sizeof def));
    NULL_POINTER("def", wobble_joint_def_init(NULL, sizeof joint));
    NULL_POINTER("def", wobble_drag_def_init(NULL, sizeof drag));
    WRONG_SIZE("size", wobble_attachment_def_init(&def, 3));
    WRONG_SIZE("size", wobble_joint_def_init(&joint, 0));
    WRONG_SIZE("size", wobble_drag_def_init(&drag, 5000));
    OK(wobble_attachment_def_init(&def, sizeof def));
    OK(wobble_joint_def_init(&joint, sizeof joint));
    OK(wobble_drag_def_init(&drag, sizeof drag));
    NULL_POINTER("particles", wobble_body_attach(body, NULL, 2, &def, &made));
    INVALID("particles", wobble_body_attach(body, odd, 2, &def, &made));
    NULL_POINTER("out_attachment", wobble_body_attach(body, particles, 2, &def, NULL));
    NULL_POINTER("def", wobble_body_join(body, body, NULL, &made));
    NULL_POINTER("out_attachment", wobble_body_join(body, body, &joint, NULL));
    NULL_POINTER("def", wobble_body_drag(body, NULL, &made));
    NULL_POINTER("out_attachment", wobble_body_drag(body, &drag, NULL));
    def.struct_size = joint.struct_size = drag.struct_size = 1;
    WRONG_SIZE("def", wobble_body_attach(body, particles, 2, &def, &made));
    WRONG_SIZE("def", wobble_body_join(body, body, &joint, &made));
    WRONG_SIZE("def", wobble_body_drag(body, &drag, &made));
    OK(wobble_body_attach(body, particles, 2, NULL, &made));
    NULL_POINTER("position", wobble_attachment_move(made, NULL, NULL));
    INVALID("rotation", wobble_attachment_move(made, &vector, odd));
    NULL_POINTER("position", wobble_attachment_set_pose(made, NULL, NULL));
    INVALID("rotation", wobble_attachment_set_pose(made, &vector, odd));
    NULL_POINTER("out_impulse", wobble_attachment_impulse(made, NULL, &vector));
    NULL_POINTER("out_torque_impulse", wobble_attachment_impulse(made, &vector, NULL));
    NULL_POINTER("out_count", wobble_world_attachment_count(world, NULL));
    NULL_POINTER("out_attachments", wobble_world_attachments(world, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_attachments(world, &made, 1, NULL));
    TOO_SMALL("capacity", wobble_world_attachments(world, &made, 0, &count));
    NULL_POINTER("out_count", wobble_world_broken_attachment_count(world, NULL));
    NULL_POINTER("out_count", wobble_world_broken_attachments(world, &made, 1, NULL));
}

static void choices(void) {
    WobbleBounds bounds = {{-9, -9, -9}, {9, 9, 9}};
    NULL_POINTER("bounds", wobble_body_particles_in_box(body, NULL, 0, &number, 1, &count));
    NULL_POINTER("out_particles", wobble_body_particles_in_box(body, &bounds, 0, NULL, COUNT, &count));
    NULL_POINTER("out_count", wobble_body_particles_in_box(body, &bounds, 0, &number, 1, NULL));
    TOO_SMALL("capacity", wobble_body_particles_in_box(body, &bounds, 0, &number, 1, &count));
    NULL_POINTER("centre", wobble_body_particles_in_sphere(body, NULL, 1, 0, &number, 1, &count));
    NULL_POINTER("out_particles", wobble_body_particles_in_sphere(body, &vector, 9, 0, NULL, COUNT, &count));
    NULL_POINTER("out_count", wobble_body_particles_in_sphere(body, &vector, 9, 0, &number, 1, NULL));
    TOO_SMALL("capacity", wobble_body_particles_in_sphere(body, &vector, 9, 0, &number, 1, &count));
    NULL_POINTER("point", wobble_body_nearest_particle(body, NULL, 0, &number));
    NULL_POINTER("out_particle", wobble_body_nearest_particle(body, &vector, 0, NULL));
}

static void fields(void) {
    WobbleFieldDef def;
    WobbleField made;
    NULL_POINTER("def", wobble_field_def_init(NULL, sizeof def));
    WRONG_SIZE("size", wobble_field_def_init(&def, 13));
    OK(wobble_field_def_init(&def, sizeof def));
    NULL_POINTER("def", wobble_field_create(world, NULL, &made));
    NULL_POINTER("out_field", wobble_field_create(world, &def, NULL));
    OK(wobble_field_create(world, &def, &made));
    NULL_POINTER("out_def", wobble_field_definition(made, NULL));
    NULL_POINTER("def", wobble_field_set_definition(made, NULL));
    NULL_POINTER("out_count", wobble_world_field_count(world, NULL));
    NULL_POINTER("out_fields", wobble_world_fields(world, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_fields(world, &made, 1, NULL));
    TOO_SMALL("capacity", wobble_world_fields(world, &made, 0, &count));
    NULL_POINTER("centre", wobble_world_explode(world, NULL, 1, 1, 1));
    def.struct_size = 2;
    WRONG_SIZE("def", wobble_field_create(world, &def, &made));
    WRONG_SIZE("def", wobble_field_set_definition(made, &def));
    WRONG_SIZE("out_def", wobble_field_definition(made, &def));
}

static void queries(void) {
    WobbleHit hit;
    WobblePartner found;
    NULL_POINTER("origin", wobble_world_cast_ray(world, NULL, &half, 1, 1, 1, &hit));
    NULL_POINTER("direction", wobble_world_cast_ray(world, &vector, NULL, 1, 1, 1, &hit));
    NULL_POINTER("out_hit", wobble_world_cast_ray(world, &vector, &half, 1, 1, 1, NULL));
    NULL_POINTER("point", wobble_world_closest_point(world, NULL, 1, 1, 1, &hit));
    NULL_POINTER("out_hit", wobble_world_closest_point(world, &vector, 1, 1, 1, NULL));
    NULL_POINTER("centre", wobble_world_overlap_sphere(world, NULL, 1, 1, 1, &found, 1, &count));
    NULL_POINTER("out_found", wobble_world_overlap_sphere(world, &vector, 1, 1, 1, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_overlap_sphere(world, &vector, 1, 1, 1, &found, 1, NULL));
    NULL_POINTER("centre", wobble_world_overlap_box(world, NULL, &half, NULL, 1, 1, &found, 1, &count));
    NULL_POINTER("half_extents", wobble_world_overlap_box(world, &vector, NULL, NULL, 1, 1, &found, 1, &count));
    NULL_POINTER("out_found", wobble_world_overlap_box(world, &vector, &half, NULL, 1, 1, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_overlap_box(world, &vector, &half, NULL, 1, 1, &found, 1, NULL));
}

static void what_is_read_back(void) {
    WobbleColliderDef def;
    WobbleCollider collider;
    OK(wobble_collider_create(world, NULL, &collider));
    NULL_POINTER("out_def", wobble_collider_definition(collider, NULL));
    def.struct_size = 3;
    WRONG_SIZE("out_def", wobble_collider_definition(collider, &def));
    NULL_POINTER("out_solid", wobble_collider_is_solid(collider, NULL));
    NULL_POINTER("out_position", wobble_body_position_of(body, 0, NULL));
    NULL_POINTER("out_velocity", wobble_body_velocity_of(body, 0, NULL));
    NULL_POINTER("out_count", wobble_world_collider_count(world, NULL));
    NULL_POINTER("out_colliders", wobble_world_colliders(world, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_colliders(world, &collider, 1, NULL));
    TOO_SMALL("capacity", wobble_world_colliders(world, &collider, 0, &count));
    NULL_POINTER("out_threshold", wobble_world_contact_reporting(world, NULL, &number));
    NULL_POINTER("out_max_contacts", wobble_world_contact_reporting(world, &value, NULL));
    NULL_POINTER("out_parting", wobble_body_touch(body, NULL, &number, &number));
    NULL_POINTER("out_touches_itself", wobble_body_touch(body, &value, NULL, &number));
    NULL_POINTER("out_proxies", wobble_body_touch(body, &value, &number, NULL));
    NULL_POINTER("out_friction", wobble_body_surface(body, NULL, &value, &number));
    NULL_POINTER("out_restitution", wobble_body_surface(body, &value, NULL, &number));
    NULL_POINTER("out_combine", wobble_body_surface(body, &value, &value, NULL));
    NULL_POINTER("out_group", wobble_body_groups(body, NULL, &number));
    NULL_POINTER("out_mask", wobble_body_groups(body, &number, NULL));
    NULL_POINTER("out_radius", wobble_body_particle_radius(body, NULL));
    NULL_POINTER("out_touching", wobble_body_is_touching(body, NULL));
}

static void shapes(void) {
    static float pins[COUNT], out[VERTICES * 4];
    WobbleParticlesDef def;
    WobbleMeshDef mesh = sphere();
    WobbleShape shape, plain;
    NULL_POINTER("def", wobble_particles_def_init(NULL, sizeof def));
    WRONG_SIZE("size", wobble_particles_def_init(&def, 4));
    OK(wobble_particles_def_init(&def, sizeof def));
    def.count = COUNT;
    NULL_POINTER("points", wobble_shape_create_from_particles(&def, NULL, NULL, &shape));
    def.points = cube_points();
    def.pin = pins;
    pins[3] = 1;
    NULL_POINTER("particles", wobble_shape_create_from_particles(NULL, NULL, NULL, &shape));
    NULL_POINTER("out_shape", wobble_shape_create_from_particles(&def, NULL, NULL, NULL));
    def.pin_stride = 3;
    INVALID("pin", wobble_shape_create_from_particles(&def, NULL, NULL, &shape));
    def.pin_stride = 0;
    def.points_stride = 8;
    INVALID("points", wobble_shape_create_from_particles(&def, NULL, NULL, &shape));
    def.points_stride = 0;
    mesh.indices = NULL;
    NULL_POINTER("indices", wobble_shape_create_from_particles(&def, &mesh, NULL, &shape));
    mesh = sphere();
    def.struct_size = 6;
    WRONG_SIZE("particles", wobble_shape_create_from_particles(&def, &mesh, NULL, &shape));
    def.struct_size = sizeof def;
    OK(wobble_shape_create_from_particles(&def, &mesh, NULL, &shape));
    OK(wobble_shape_create_from_particles(&def, NULL, NULL, &plain));
    NULL_POINTER("out_spacing", wobble_shape_spacing(shape, NULL));
    NULL_POINTER("out_count", wobble_shape_pin_count(shape, NULL));
    NULL_POINTER("out_particles", wobble_shape_pins(shape, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_shape_pins(shape, &number, 1, NULL));
    TOO_SMALL("capacity", wobble_shape_pins(shape, &number, 0, &count));
    mark(out, sizeof out);
    NULL_POINTER("out_normals", wobble_shape_normals(shape, NULL, 0, VERTICES));
    TOO_SMALL("out_normals", wobble_shape_normals(shape, out, 0, VERTICES - 1));
    NULL_POINTER("out_tangents", wobble_shape_tangents(shape, NULL, 0, VERTICES));
    TOO_SMALL("out_tangents", wobble_shape_tangents(shape, out, 0, VERTICES - 1));
    INVALID("out_tangents", wobble_shape_tangents(shape, out, 12, VERTICES));
    INVALID("tangents", wobble_shape_tangents(plain, out, 0, VERTICES));
    CHECK(is_untouched(out, sizeof out));
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(plain));
}

int main(void) {
    make_sphere();
    world = calm_world();
    body = add_cube(world);
    attachments();
    choices();
    fields();
    queries();
    what_is_read_back();
    shapes();
    OK(wobble_world_destroy(world));
    return 0;
}
