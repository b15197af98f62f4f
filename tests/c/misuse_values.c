/*
 * Numbers that are not finite or out of range, constants and names that are none, indices past
 * the end, things done twice: each is refused by name and changes nothing.
 */
#include "check.h"

static WobbleWorld world;
static WobbleShape shape;
static WobbleBody body;

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
#define UNKNOWN(word, call) REFUSED(WOBBLE_STATUS_UNKNOWN_NAME, word, call)

/* Not finite, or larger than anything in a game. */
static float bad(int which) {
    switch (which) {
    case 0: return NAN;
    case 1: return INFINITY;
    case 2: return -INFINITY;
    case 3: return 2e9f;
    default: return -2e9f;
    }
}

enum { BAD = 5 };

static void calls_with_three_numbers_check_each(float value, int axis) {
    float x = axis == 0 ? value : 0, y = axis == 1 ? value : 0, z = axis == 2 ? value : 0;
    WobbleVec3 vector = vec3(x, y, z), zero = vec3(0, 0, 0);
    INVALID("gravity", wobble_world_set_gravity(world, x, y, z));
    INVALID("velocity", wobble_body_set_velocity(body, x, y, z));
    INVALID("force", wobble_body_apply_force(body, x, y, z));
    INVALID("force", wobble_body_apply_force_to(body, 0, x, y, z));
    INVALID("impulse", wobble_body_apply_impulse(body, x, y, z));
    INVALID("impulse", wobble_body_apply_impulse_to(body, 0, x, y, z));
    INVALID("impulse", wobble_body_apply_torque_impulse(body, x, y, z));
    INVALID("target", wobble_body_move_pin(body, 1, x, y, z));
    INVALID("position", wobble_body_set_position_of(body, 0, x, y, z));
    INVALID("velocity", wobble_body_set_velocity_of(body, 0, x, y, z));
    INVALID("position", wobble_body_teleport(body, &vector, NULL));
    INVALID("point", wobble_body_apply_impulse_at(body, &vector, &zero, 1));
    INVALID("impulse", wobble_body_apply_impulse_at(body, &zero, &vector, 1));
}

static void arrays_check_every_element(float value) {
    float changed[COUNT * 3], masses[COUNT];
    WobbleShape made;
    mark(&made, sizeof made);
    memcpy(changed, cube_points(), sizeof changed);
    for (int i = 0; i < COUNT; i++) {
        masses[i] = 1;
    }
    for (int i = 0; i < COUNT * 3; i += 37) {
        float kept = changed[i];
        changed[i] = value;
        INVALID("positions", wobble_body_set_positions(body, changed, COUNT, 0));
        INVALID("velocities", wobble_body_set_velocities(body, changed, COUNT, 0));
        INVALID("points", wobble_shape_create_from_points(changed, COUNT, 0, NULL, 0, NULL, &made));
        changed[i] = kept;
    }
    masses[77] = value;
    INVALID("masses[77]", wobble_shape_create_from_points(changed, COUNT, 0, masses, 0, NULL, &made));
    masses[77] = 0;
    INVALID("masses[77]", wobble_shape_create_from_points(changed, COUNT, 0, masses, 0, NULL, &made));
    CHECK(is_untouched(&made, sizeof made));
}

static void single_numbers_are_checked(float value) {
    float weights[16] = {0};
    uint32_t levels;
    WobbleVec3 zero = vec3(0, 0, 0);
    OK(wobble_body_level_count(body, &levels));
    weights[1] = value;
    INVALID("dt", wobble_world_step(world, value));
    INVALID("dt", wobble_world_step_begin(world, value));
    INVALID("radius", wobble_body_apply_impulse_at(body, &zero, &zero, value));
    INVALID("weight", wobble_body_set_level_weight(body, 0, value));
    INVALID("weights", wobble_body_set_level_weights(body, weights, levels));
    INVALID("multiplier", wobble_body_set_level_stiffness(body, 0, value));
    INVALID("multiplier", wobble_body_set_level_damping(body, 0, value));
}

static void weightings_check_their_parameters(void) {
    for (int i = 0; i < 3; i++) {
        REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "", wobble_body_set_weighting(body, "linear_fine", bad(i), 0));
        REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "", wobble_body_set_weighting(body, "polynomial_coarse", bad(i), 1));
        REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "", wobble_body_set_weighting(body, "polynomial_coarse", 1, bad(i)));
    }
}

/* Sets one float of a definition to a value and back. */
#define WITH(field, value, expectation)                                                                                \
    do {                                                                                                               \
        float kept = (field);                                                                                          \
        (field) = (value);                                                                                             \
        expectation;                                                                                                   \
        (field) = kept;                                                                                                \
    } while (0)

static void every_float_of_a_definition_is_checked(float value) {
    WobbleWorldDef world_def;
    WobbleColliderDef plane;
    WobbleBodyDef def;
    WobbleWorld made;
    WobbleCollider added;
    WobbleBody created;
    OK(wobble_world_def_init(&world_def, sizeof world_def));
    OK(wobble_collider_def_init(&plane, sizeof plane));
    OK(wobble_body_def_init(&def, sizeof def));
    WITH(world_def.gravity.x, value, INVALID("gravity", wobble_world_create(&world_def, &made)));
    WITH(world_def.gravity.y, value, INVALID("gravity", wobble_world_create(&world_def, &made)));
    WITH(world_def.gravity.z, value, INVALID("gravity", wobble_world_create(&world_def, &made)));
    WITH(plane.normal.x, value, INVALID("normal", wobble_collider_create(world, &plane, &added)));
    WITH(plane.normal.y, value, INVALID("normal", wobble_collider_create(world, &plane, &added)));
    WITH(plane.normal.z, value, INVALID("normal", wobble_collider_create(world, &plane, &added)));
    WITH(plane.normal.y, 0, INVALID("normal", wobble_collider_create(world, &plane, &added)));
    WITH(plane.offset, value, INVALID("offset", wobble_collider_create(world, &plane, &added)));
    WITH(plane.friction, value, INVALID("friction", wobble_collider_create(world, &plane, &added)));
    WITH(plane.restitution, value, INVALID("restitution", wobble_collider_create(world, &plane, &added)));
    WITH(def.position.x, value, INVALID("position", wobble_body_create(world, shape, &def, &created)));
    WITH(def.position.y, value, INVALID("position", wobble_body_create(world, shape, &def, &created)));
    WITH(def.position.z, value, INVALID("position", wobble_body_create(world, shape, &def, &created)));
    WITH(def.velocity.x, value, INVALID("velocity", wobble_body_create(world, shape, &def, &created)));
    WITH(def.velocity.y, value, INVALID("velocity", wobble_body_create(world, shape, &def, &created)));
    WITH(def.velocity.z, value, INVALID("velocity", wobble_body_create(world, shape, &def, &created)));
    if (!isfinite(value)) {
        WITH(def.rotation.x, value, INVALID("rotation", wobble_body_create(world, shape, &def, &created)));
        WITH(def.rotation.y, value, INVALID("rotation", wobble_body_create(world, shape, &def, &created)));
        WITH(def.rotation.z, value, INVALID("rotation", wobble_body_create(world, shape, &def, &created)));
        WITH(def.rotation.w, value, INVALID("rotation", wobble_body_create(world, shape, &def, &created)));
        WITH(def.rotation.w, value, INVALID("rotation", wobble_body_teleport(body, NULL, &def.rotation)));
    }
    WITH(def.rotation.w, 0, INVALID("rotation", wobble_body_create(world, shape, &def, &created)));
    WITH(def.rotation.w, 0, INVALID("rotation", wobble_body_teleport(body, NULL, &def.rotation)));
}

static void every_float_of_a_material_is_checked(float value) {
    WobbleMaterial m;
    OK(wobble_material_init(&m, sizeof m));
    m.goals = WOBBLE_GOALS_LINEAR;
    m.strain_rounds = 1;
    WITH(m.stiffness, value, INVALID("stiffness", wobble_body_set_material(body, &m)));
    WITH(m.damping, value, INVALID("damping", wobble_body_set_material(body, &m)));
    WITH(m.goals_beta, value, INVALID("beta", wobble_body_set_material(body, &m)));
    WITH(m.strain_gamma, value, INVALID("gamma", wobble_body_set_material(body, &m)));
    WITH(m.strain_omega, value, INVALID("omega", wobble_body_set_material(body, &m)));
    WITH(m.gravity_scale, value, INVALID("gravity_scale", wobble_body_set_material(body, &m)));
    WITH(m.rebound, value, INVALID("rebound", wobble_body_set_material(body, &m)));
    m.stiffness_kind = WOBBLE_STIFFNESS_PER_STEP;
    m.damping_kind = WOBBLE_DAMPING_PER_STEP;
    INVALID("stiffness", wobble_body_set_material(body, &m));
    m.stiffness = 1;
    INVALID("damping", wobble_body_set_material(body, &m));
}

static void every_float_of_a_shape_definition_is_checked(float value) {
    static const uint32_t kernels[] = {WOBBLE_KERNEL_BLEND, WOBBLE_KERNEL_INVERSE_SQUARE, WOBBLE_KERNEL_FCM};
    WobbleShapeDef def;
    WobbleShape made;
    const float *points = cube_points();
    OK(wobble_shape_def_init(&def, sizeof def));
    WITH(def.radius, value, INVALID("radius", wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made)));
    WITH(def.radius_growth, value,
         INVALID("radius_growth", wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made)));
    WITH(def.overlap, value,
         INVALID("overlap", wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made)));
    for (int i = 0; i < 3 && !isfinite(value); i++) {
        def.kernel = kernels[i];
        WITH(def.kernel_parameter, value,
             INVALID("kernel", wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made)));
    }
}

#define CONSTANT(field, value, call)                                                                                   \
    do {                                                                                                               \
        uint32_t kept = (field);                                                                                       \
        (field) = (value);                                                                                             \
        INVALID(strrchr(#field, '.') + 1, call);                                                                       \
        (field) = kept;                                                                                                \
    } while (0)

static void unknown_constants_and_counts_out_of_range_are_refused(uint32_t value) {
    WobbleShapeDef def;
    WobbleMaterial m;
    WobbleWorldDef w;
    WobbleShape made;
    WobbleWorld created;
    const float *points = cube_points();
    OK(wobble_shape_def_init(&def, sizeof def));
    OK(wobble_material_init(&m, sizeof m));
    OK(wobble_world_def_init(&w, sizeof w));
    CONSTANT(def.algorithm, value, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(def.kernel, value, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(def.nesting, value, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(def.max_levels, 0, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(def.max_rounds, 0, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(def.particles_per_cluster, 0, wobble_shape_create_from_points(points, COUNT, 0, NULL, 0, &def, &made));
    CONSTANT(m.stiffness_kind, value, wobble_body_set_material(body, &m));
    CONSTANT(m.damping_kind, value, wobble_body_set_material(body, &m));
    CONSTANT(m.damping_form, value, wobble_body_set_material(body, &m));
    CONSTANT(m.rotation, value, wobble_body_set_material(body, &m));
    CONSTANT(m.goals, value, wobble_body_set_material(body, &m));
    CONSTANT(w.threads, 257, wobble_world_create(&w, &created));
    CONSTANT(w.substeps, 0, wobble_world_create(&w, &created));
    CONSTANT(w.substeps, 65, wobble_world_create(&w, &created));
    m.strain_rounds = 65;
    INVALID("rounds", wobble_body_set_material(body, &m));
    INVALID("enabled", wobble_body_set_enabled(body, value));
    INVALID("threads", wobble_world_set_threads(world, 257));
    INVALID("threads", wobble_world_set_threads(world, UINT32_MAX));
    INVALID("substeps", wobble_world_set_substeps(world, 0));
    INVALID("substeps", wobble_world_set_substeps(world, UINT32_MAX));
}

static void indices_past_the_end_are_refused(uint32_t particle, uint32_t level) {
    float room[COUNT * 7];
    uint32_t pinned, count;
    WobbleLevelReport report;
    mark(room, sizeof room);
    report.struct_size = sizeof report;
    INVALID("particle", wobble_body_pin(body, particle));
    INVALID("particle", wobble_body_unpin(body, particle));
    INVALID("particle", wobble_body_move_pin(body, particle, 0, 0, 0));
    INVALID("particle", wobble_body_is_pinned(body, particle, &pinned));
    INVALID("particle", wobble_body_set_position_of(body, particle, 0, 0, 0));
    INVALID("particle", wobble_body_set_velocity_of(body, particle, 0, 0, 0));
    INVALID("particle", wobble_body_apply_force_to(body, particle, 0, 0, 0));
    INVALID("particle", wobble_body_apply_impulse_to(body, particle, 0, 0, 0));
    INVALID("level", wobble_body_level_weight(body, level, room));
    INVALID("level", wobble_body_set_level_weight(body, level, 0.5f));
    INVALID("level", wobble_body_level_stiffness(body, level, room));
    INVALID("level", wobble_body_set_level_stiffness(body, level, 1));
    INVALID("level", wobble_body_level_damping(body, level, room));
    INVALID("level", wobble_body_set_level_damping(body, level, 1));
    INVALID("level", wobble_body_cluster_transforms(body, level, (WobbleTransform *)room, 0, COUNT));
    INVALID("level", wobble_shape_level_report(shape, level, &report));
    INVALID("level", wobble_shape_cluster_centres(shape, level, room, 0, COUNT));
    INVALID("level", wobble_shape_cluster_widths(shape, level, room, 0, COUNT));
    INVALID("level", wobble_shape_membership_count(shape, level, &count));
    INVALID("level", wobble_shape_memberships(shape, level, NULL, 0, &count));
    CHECK(is_untouched(room, sizeof room));
}

static void unknown_names_are_refused(const char *name) {
    WobbleMaterial material, plain;
    OK(wobble_material_init(&material, sizeof material));
    plain = material;
    UNKNOWN("name", wobble_material_named(name, &material));
    UNKNOWN("name", wobble_body_set_preset(body, name));
    UNKNOWN("weighting", wobble_body_set_weighting(body, name, 1, 1));
    CHECK(memcmp(&material, &plain, sizeof plain) == 0);
}

static void what_cannot_be_done_now_is_refused(void) {
    float none[16] = {0};
    uint32_t levels, size;
    WobbleVec3 far_away = vec3(100, 0, 0);
    WobbleMaterial material;
    OK(wobble_material_init(&material, sizeof material));
    OK(wobble_body_level_count(body, &levels));
    INVALID("dt", wobble_world_step(world, 0));
    INVALID("dt", wobble_world_step(world, -0.1f));
    INVALID("dt", wobble_world_step(world, 10.5f));
    INVALID("weights", wobble_body_set_level_weights(body, none, levels));
    INVALID("pinned", wobble_body_move_pin(body, 0, 0, 0, 0));
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "", wobble_body_apply_impulse_at(body, &far_away, &far_away, 1));
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "UTF-8", wobble_material_named("\xff\xfe", &material));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "capacity", wobble_world_bodies(world, NULL, 0, &size));
}

static void destroying_twice_is_refused(void) {
    WobbleWorld other = calm_world();
    WobbleBody one = add_cube(other);
    WobbleCollider plane;
    OK(wobble_collider_create(other, NULL, &plane));
    OK(wobble_collider_destroy(plane));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "collider", wobble_collider_destroy(plane));
    OK(wobble_body_destroy(one));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_destroy(one));
    OK(wobble_world_destroy(other));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "world", wobble_world_destroy(other));
    OK(wobble_shape_release(shape));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "shape", wobble_shape_release(shape));
}

int main(void) {
    uint64_t hash;
    WobbleMaterial before, after;
    world = calm_world();
    shape = cube();
    body = add_cube(world);
    OK(wobble_body_pin(body, 1));
    hash = hash_of(world);
    before.struct_size = after.struct_size = sizeof before;
    OK(wobble_body_material(body, &before));
    for (int i = 0; i < BAD; i++) {
        for (int axis = 0; axis < 3; axis++) {
            calls_with_three_numbers_check_each(bad(i), axis);
        }
        arrays_check_every_element(bad(i));
        single_numbers_are_checked(bad(i));
        every_float_of_a_definition_is_checked(bad(i));
        every_float_of_a_material_is_checked(bad(i));
        every_float_of_a_shape_definition_is_checked(bad(i));
    }
    weightings_check_their_parameters();
    unknown_constants_and_counts_out_of_range_are_refused(77);
    unknown_constants_and_counts_out_of_range_are_refused(UINT32_MAX);
    indices_past_the_end_are_refused(COUNT, 16);
    indices_past_the_end_are_refused(UINT32_MAX, UINT32_MAX);
    unknown_names_are_refused("custard");
    unknown_names_are_refused("");
    unknown_names_are_refused("Jelly ");
    what_cannot_be_done_now_is_refused();
    CHECK(hash_of(world) == hash);
    OK(wobble_body_material(body, &after));
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    destroying_twice_is_refused();
    OK(wobble_world_destroy(world));
    return 0;
}
