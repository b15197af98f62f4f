/* Numbers out of range and constants that are none, for attachments, force fields, queries and particles: each is
 * refused by name and changes nothing. */
#include "check.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

static const float BAD[] = {NAN, INFINITY, -INFINITY, 1e10f};
static WobbleWorld world;
static WobbleBody body;

static void attachments(float bad) {
    const uint32_t particles[2] = {0, COUNT};
    WobbleAttachmentDef good, def;
    WobbleJointDef good_joint, joint;
    WobbleDragDef good_drag, drag;
    WobbleAttachment made;
    WobbleVec3 vector = vec3(0, bad, 0), zero = vec3(0, 0, 0);
    WobbleQuat no_turn = {0, 0, 0, 0};
    OK(wobble_attachment_def_init(&good, sizeof good));
    OK(wobble_joint_def_init(&good_joint, sizeof good_joint));
    OK(wobble_drag_def_init(&good_drag, sizeof good_drag));
    INVALID("particle", wobble_body_attach(body, particles, 2, NULL, &made));
    INVALID("particles", wobble_body_attach(body, particles, 0, NULL, &made));
#define WITH(field, value) def = good, def.field = value
    WITH(position, vector);
    INVALID("position", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(rotation, no_turn);
    INVALID("rotation", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(hertz, bad);
    INVALID("hertz", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(hertz, -1);
    INVALID("hertz", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(hertz, 5);
    def.damping_ratio = bad;
    INVALID("damping_ratio", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(break_force, -1);
    INVALID("break_force", wobble_body_attach(body, particles, 1, &def, &made));
    WITH(break_force, NAN);
    INVALID("break_force", wobble_body_attach(body, particles, 1, &def, &made));
#undef WITH
#define WITH(field, value) joint = good_joint, joint.field = value
    WITH(point, vector);
    INVALID("point", wobble_body_join(body, body, &joint, &made));
    WITH(other_point, vector);
    INVALID("other_point", wobble_body_join(body, body, &joint, &made));
    WITH(radius, bad);
    INVALID("radius", wobble_body_join(body, body, &joint, &made));
    WITH(length, NAN);
    INVALID("length", wobble_body_join(body, body, &joint, &made));
    WITH(length, 1e10f);
    INVALID("length", wobble_body_join(body, body, &joint, &made));
    WITH(hertz, bad);
    INVALID("hertz", wobble_body_join(body, body, &joint, &made));
    WITH(break_force, -2);
    INVALID("break_force", wobble_body_join(body, body, &joint, &made));
#undef WITH
#define WITH(field, value) drag = good_drag, drag.field = value
    WITH(point, vector);
    INVALID("point", wobble_body_drag(body, &drag, &made));
    WITH(radius, bad);
    INVALID("radius", wobble_body_drag(body, &drag, &made));
    WITH(hertz, 0);
    INVALID("hertz", wobble_body_drag(body, &drag, &made));
    WITH(damping_ratio, bad);
    INVALID("damping_ratio", wobble_body_drag(body, &drag, &made));
    WITH(max_force, NAN);
    INVALID("max_force", wobble_body_drag(body, &drag, &made));
#undef WITH
    OK(wobble_body_drag(body, &good_drag, &made));
    INVALID("position", wobble_attachment_move(made, &vector, NULL));
    INVALID("rotation", wobble_attachment_move(made, &zero, &no_turn));
    INVALID("position", wobble_attachment_set_pose(made, &vector, NULL));
    INVALID("rotation", wobble_attachment_set_pose(made, &zero, &no_turn));
    OK(wobble_attachment_destroy(made));
    OK(wobble_body_join(body, body, &good_joint, &made));
    INVALID("joint", wobble_attachment_move(made, &zero, NULL));
    INVALID("joint", wobble_attachment_set_pose(made, &zero, NULL));
    OK(wobble_attachment_destroy(made));
}

static void choices(float bad) {
    WobbleVec3 vector = vec3(bad, 0, 0), zero = vec3(0, 0, 0);
    WobbleBounds bounds = {{0, 0, 0}, {0, 0, 0}}, wrong = bounds;
    uint32_t found[COUNT], count;
    wrong.low.z = bad;
    INVALID("low", wobble_body_particles_in_box(body, &wrong, 0, found, COUNT, &count));
    INVALID("space", wobble_body_particles_in_box(body, &bounds, 2, found, COUNT, &count));
    INVALID("centre", wobble_body_particles_in_sphere(body, &vector, 1, 0, found, COUNT, &count));
    INVALID("radius", wobble_body_particles_in_sphere(body, &zero, bad, 0, found, COUNT, &count));
    INVALID("space", wobble_body_particles_in_sphere(body, &zero, 1, 2, found, COUNT, &count));
    INVALID("point", wobble_body_nearest_particle(body, &vector, 0, found));
    INVALID("space", wobble_body_nearest_particle(body, &zero, 2, found));
}

static void fields(float bad) {
    WobbleFieldDef good, def;
    WobbleField made;
    WobbleVec3 vector = vec3(bad, 0, 0), zero = vec3(0, 0, 0);
    uint32_t count;
    OK(wobble_field_def_init(&good, sizeof good));
#define WITH(what, field, value) def = good, def.kind = what, def.field = value
#define REFUSE(word)                                                                                                   \
    INVALID(word, wobble_field_create(world, &def, &made));                                                            \
    INVALID(word, wobble_field_set_definition(made, &def))
    OK(wobble_field_create(world, &good, &made));
    WITH(WOBBLE_FIELD_WIND, velocity, vector);
    REFUSE("velocity");
    WITH(WOBBLE_FIELD_WIND, drag, bad);
    REFUSE("drag");
    WITH(WOBBLE_FIELD_WIND, gusts, bad);
    REFUSE("gusts");
    WITH(WOBBLE_FIELD_WIND, gust_hertz, bad);
    REFUSE("gust_hertz");
    WITH(WOBBLE_FIELD_ATTRACTOR, centre, vector);
    REFUSE("centre");
    WITH(WOBBLE_FIELD_ATTRACTOR, strength, bad);
    REFUSE("strength");
    WITH(WOBBLE_FIELD_ATTRACTOR, radius, 0);
    REFUSE("radius");
    WITH(WOBBLE_FIELD_BUOYANCY, normal, zero);
    REFUSE("normal");
    WITH(WOBBLE_FIELD_BUOYANCY, offset, bad);
    REFUSE("offset");
    WITH(WOBBLE_FIELD_BUOYANCY, density_ratio, bad);
    REFUSE("density_ratio");
    WITH(WOBBLE_FIELD_BUOYANCY, velocity, vector);
    REFUSE("flow");
    WITH(3, drag, 1);
    REFUSE("kind");
    OK(wobble_field_destroy(made));
    OK(wobble_world_field_count(world, &count));
    CHECK(count == 0);
    INVALID("centre", wobble_world_explode(world, &vector, 1, 1, 1));
    INVALID("radius", wobble_world_explode(world, &zero, bad, 1, 1));
    INVALID("speed", wobble_world_explode(world, &zero, 1, bad, 1));
}

static void queries(float bad) {
    WobbleVec3 vector = vec3(0, 0, bad), zero = vec3(0, 0, 0), one = vec3(1, 1, 1);
    WobbleQuat no_turn = {0, 0, 0, 0};
    WobbleHit hit;
    WobblePartner found;
    uint32_t count;
    INVALID("origin", wobble_world_cast_ray(world, &vector, &one, 1, 1, 1, &hit));
    INVALID("direction", wobble_world_cast_ray(world, &zero, &vector, 1, 1, 1, &hit));
    INVALID("direction", wobble_world_cast_ray(world, &zero, &zero, 1, 1, 1, &hit));
    INVALID("max_distance", wobble_world_cast_ray(world, &zero, &one, bad, 1, 1, &hit));
    INVALID("point", wobble_world_closest_point(world, &vector, 1, 1, 1, &hit));
    INVALID("max_distance", wobble_world_closest_point(world, &zero, bad, 1, 1, &hit));
    INVALID("centre", wobble_world_overlap_sphere(world, &vector, 1, 1, 1, &found, 1, &count));
    INVALID("radius", wobble_world_overlap_sphere(world, &zero, bad, 1, 1, &found, 1, &count));
    INVALID("centre", wobble_world_overlap_box(world, &vector, &one, NULL, 1, 1, &found, 1, &count));
    INVALID("half_extents", wobble_world_overlap_box(world, &zero, &vector, NULL, 1, 1, &found, 1, &count));
    INVALID("rotation", wobble_world_overlap_box(world, &zero, &one, &no_turn, 1, 1, &found, 1, &count));
}

static void particles(float bad) {
    static float map[COUNT];
    WobbleParticlesDef good, def;
    WobbleShape made;
    for (int i = 0; i < COUNT; i++) {
        map[i] = 1;
    }
    map[5] = bad;
    OK(wobble_particles_def_init(&good, sizeof good));
    good.points = cube_points();
    good.count = COUNT;
    def = good;
    def.stiffness = map;
    INVALID("stiffness[5]", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
    def = good;
    def.damping = map;
    INVALID("damping[5]", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
    def = good;
    def.pin = map;
    INVALID("pin[5]", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
    def = good;
    def.toughness = map;
    INVALID("toughness[5]", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
    def = good;
    def.masses = map;
    INVALID("masses[5]", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
    def = good;
    def.count = 16777217;
    INVALID("count", wobble_shape_create_from_particles(&def, NULL, NULL, &made));
}

static void bodies_without_particles_have_none_to_hold(void) {
    WobbleParticlesDef def;
    WobbleShape shape;
    WobbleBody empty;
    WobbleDragDef drag;
    WobbleAttachment made;
    WobbleVec3 zero = vec3(0, 0, 0);
    uint32_t found;
    OK(wobble_particles_def_init(&def, sizeof def));
    OK(wobble_shape_create_from_particles(&def, NULL, NULL, &shape));
    OK(wobble_body_create(world, shape, NULL, &empty));
    OK(wobble_drag_def_init(&drag, sizeof drag));
    INVALID("particles", wobble_body_nearest_particle(empty, &zero, 0, &found));
    INVALID("particles", wobble_body_drag(empty, &drag, &made));
    OK(wobble_shape_release(shape));
}

int main(void) {
    uint32_t count;
    world = calm_world();
    body = add_cube(world);
    for (int i = 0; i < 4; i++) {
        attachments(BAD[i]);
        choices(BAD[i]);
        fields(BAD[i]);
        queries(BAD[i]);
        particles(BAD[i]);
    }
    bodies_without_particles_have_none_to_hold();
    WobbleVec3 vector;
    INVALID("particle", wobble_body_position_of(body, COUNT, &vector));
    INVALID("particle", wobble_body_velocity_of(body, UINT32_MAX, &vector));
    OK(wobble_world_attachment_count(world, &count));
    CHECK(count == 0);
    OK(wobble_world_destroy(world));
    return 0;
}
