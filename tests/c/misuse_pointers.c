/*
 * Pointers that are null or misaligned, structs of the wrong size, strides and counts that cannot
 * be: each is refused by name, writes nothing and changes nothing.
 */
#include "check.h"

static WobbleWorld world;
static WobbleShape shape;
static WobbleBody body;

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
#define WRONG_SIZE(word, call) REFUSED(WOBBLE_STATUS_STRUCT_SIZE, word, call)
#define TOO_SMALL(word, call) REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, word, call)

static void null_pointers_are_named_for_worlds_and_shapes(void) {
    WobbleBody bodies[1];
    WobbleShape made;
    uint32_t count;
    uint8_t bytes[8];
    const uint32_t *order;
    NULL_POINTER("def", wobble_world_def_init(NULL, sizeof(WobbleWorldDef)));
    NULL_POINTER("def", wobble_collider_def_init(NULL, sizeof(WobbleColliderDef)));
    NULL_POINTER("def", wobble_shape_def_init(NULL, sizeof(WobbleShapeDef)));
    NULL_POINTER("def", wobble_body_def_init(NULL, sizeof(WobbleBodyDef)));
    NULL_POINTER("material", wobble_material_init(NULL, sizeof(WobbleMaterial)));
    NULL_POINTER("out_material", wobble_material_named("jelly", NULL));
    NULL_POINTER("out_world", wobble_world_create(NULL, NULL));
    NULL_POINTER("out_gravity", wobble_world_gravity(world, NULL));
    NULL_POINTER("out_threads", wobble_world_threads(world, NULL));
    NULL_POINTER("out_substeps", wobble_world_substeps(world, NULL));
    NULL_POINTER("out_done", wobble_world_step_is_done(world, NULL));
    NULL_POINTER("out_profile", wobble_world_profile(world, NULL));
    NULL_POINTER("out_statistics", wobble_world_statistics(world, NULL));
    NULL_POINTER("out_hash", wobble_world_state_hash(world, NULL));
    NULL_POINTER("out_count", wobble_world_body_count(world, NULL));
    NULL_POINTER("out_count", wobble_world_bodies(world, bodies, 1, NULL));
    NULL_POINTER("out_bodies", wobble_world_bodies(world, NULL, 1, &count));
    NULL_POINTER("out_count", wobble_world_newly_frozen(world, bodies, 1, NULL));
    NULL_POINTER("out_size", wobble_world_snapshot_size(world, NULL));
    NULL_POINTER("out_size", wobble_world_snapshot(world, bytes, 8, NULL));
    NULL_POINTER("out_bytes", wobble_world_snapshot(world, NULL, UINT32_MAX, &count));
    NULL_POINTER("bytes", wobble_world_restore(world, NULL, 1, NULL, 0));
    NULL_POINTER("shapes", wobble_world_restore(world, bytes, 8, NULL, 1));
    NULL_POINTER("out_collider", wobble_collider_create(world, NULL, NULL));
    NULL_POINTER("points", wobble_shape_create_from_points(NULL, COUNT, 0, NULL, 0, NULL, &made));
    NULL_POINTER("out_shape", wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, NULL, NULL));
    NULL_POINTER("out_size", wobble_shape_save_size(shape, NULL));
    NULL_POINTER("out_size", wobble_shape_save(shape, bytes, 8, NULL));
    NULL_POINTER("out_bytes", wobble_shape_save(shape, NULL, UINT32_MAX, &count));
    NULL_POINTER("bytes", wobble_shape_load(NULL, 8, &made));
    NULL_POINTER("out_shape", wobble_shape_load(bytes, 8, NULL));
    NULL_POINTER("out_count", wobble_shape_particle_count(shape, NULL));
    NULL_POINTER("out_count", wobble_shape_level_count(shape, NULL));
    NULL_POINTER("out_mass", wobble_shape_mass(shape, NULL));
    NULL_POINTER("out_fingerprint", wobble_shape_fingerprint(shape, NULL));
    NULL_POINTER("out_report", wobble_shape_level_report(shape, 0, NULL));
    NULL_POINTER("out_positions", wobble_shape_rest_positions(shape, NULL, 0, COUNT));
    NULL_POINTER("out_centres", wobble_shape_cluster_centres(shape, 0, NULL, 0, COUNT));
    NULL_POINTER("out_nested", wobble_shape_is_nested(shape, NULL));
    NULL_POINTER("out_masses", wobble_shape_masses(shape, NULL, 0, COUNT));
    NULL_POINTER("out_widths", wobble_shape_cluster_widths(shape, 0, NULL, 0, COUNT));
    NULL_POINTER("out_count", wobble_shape_membership_count(shape, 0, NULL));
    NULL_POINTER("out_count", wobble_shape_memberships(shape, 0, NULL, 0, NULL));
    NULL_POINTER("out_memberships", wobble_shape_memberships(shape, 0, NULL, UINT32_MAX, &count));
    NULL_POINTER("out_count", wobble_shape_plane_count(shape, NULL));
    NULL_POINTER("out_count", wobble_shape_planes(shape, NULL, 0, NULL));
    NULL_POINTER("out_planes", wobble_shape_planes(shape, NULL, UINT32_MAX, &count));
    NULL_POINTER("out_order", wobble_shape_view_order(shape, NULL, &count));
    NULL_POINTER("out_count", wobble_shape_view_order(shape, &order, NULL));
    wobble_set_log_callback(NULL, NULL);
}

static void null_pointers_are_named_for_bodies(void) {
    WobbleMaterial material;
    WobbleVec3 zero = {0, 0, 0};
    uint32_t size;
    uint8_t bytes[8];
    OK(wobble_material_init(&material, sizeof material));
    NULL_POINTER("name", wobble_material_named(NULL, &material));
    NULL_POINTER("out_body", wobble_body_create(world, shape, NULL, NULL));
    NULL_POINTER("out_world", wobble_body_world(body, NULL));
    NULL_POINTER("out_shape", wobble_body_shape(body, NULL));
    NULL_POINTER("point", wobble_body_apply_impulse_at(body, NULL, &zero, 1));
    NULL_POINTER("impulse", wobble_body_apply_impulse_at(body, &zero, NULL, 1));
    NULL_POINTER("positions", wobble_body_set_positions(body, NULL, COUNT, 0));
    NULL_POINTER("velocities", wobble_body_set_velocities(body, NULL, COUNT, 0));
    NULL_POINTER("out_size", wobble_body_snapshot_size(body, NULL));
    NULL_POINTER("out_size", wobble_body_snapshot(body, bytes, 8, NULL));
    NULL_POINTER("out_bytes", wobble_body_snapshot(body, NULL, UINT32_MAX, &size));
    NULL_POINTER("bytes", wobble_body_restore(body, NULL, 8));
    NULL_POINTER("out_material", wobble_body_material(body, NULL));
    NULL_POINTER("material", wobble_body_set_material(body, NULL));
    NULL_POINTER("name", wobble_body_set_preset(body, NULL));
    NULL_POINTER("out_count", wobble_body_level_count(body, NULL));
    NULL_POINTER("out_weight", wobble_body_level_weight(body, 0, NULL));
    NULL_POINTER("weights", wobble_body_set_level_weights(body, NULL, 2));
    NULL_POINTER("name", wobble_body_set_weighting(body, NULL, 0, 0));
    NULL_POINTER("out_multiplier", wobble_body_level_stiffness(body, 0, NULL));
    NULL_POINTER("out_multiplier", wobble_body_level_damping(body, 0, NULL));
    NULL_POINTER("out_count", wobble_body_particle_count(body, NULL));
    NULL_POINTER("out_positions", wobble_body_positions(body, NULL, 0, COUNT));
    NULL_POINTER("out_velocities", wobble_body_velocities(body, NULL, 0, COUNT));
    NULL_POINTER("out_positions", wobble_body_previous_positions(body, NULL, 0, COUNT));
    NULL_POINTER("out_view", wobble_body_view_positions(body, NULL));
    NULL_POINTER("out_view", wobble_body_view_velocities(body, NULL));
    NULL_POINTER("out_transforms", wobble_body_cluster_transforms(body, 0, NULL, 0, COUNT));
    NULL_POINTER("out_centre", wobble_body_centre_of_mass(body, NULL));
    NULL_POINTER("out_momentum", wobble_body_momentum(body, NULL));
    NULL_POINTER("out_momentum", wobble_body_angular_momentum(body, NULL));
    NULL_POINTER("out_bounds", wobble_body_bounds(body, NULL));
    NULL_POINTER("out_error", wobble_body_shape_error(body, NULL));
    NULL_POINTER("out_volume", wobble_body_volume(body, NULL));
    NULL_POINTER("out_energy", wobble_body_kinetic_energy(body, NULL));
    NULL_POINTER("out_energy", wobble_body_elastic_energy(body, NULL));
    NULL_POINTER("out_enabled", wobble_body_is_enabled(body, NULL));
    NULL_POINTER("out_frozen", wobble_body_is_frozen(body, NULL));
    NULL_POINTER("out_pinned", wobble_body_is_pinned(body, 0, NULL));
    NULL_POINTER("out_count", wobble_body_pin_count(body, NULL));
    NULL_POINTER("out_count", wobble_body_pins(body, NULL, 0, NULL));
}

/* A pointer of any kind, made from a number so that the compiler does not look through it. */
static void *one_off(void *aligned) {
    return (void *)((uintptr_t)aligned + 1);
}

static void misaligned_pointers_are_refused(void) {
    static uint64_t room[COUNT * 4];
    void *odd = one_off(room);
    WobbleShape made;
    mark(room, sizeof room);
    INVALID("def", wobble_world_def_init(odd, sizeof(WobbleWorldDef)));
    INVALID("def", wobble_world_create(odd, (WobbleWorld *)room));
    INVALID("out_world", wobble_world_create(NULL, odd));
    INVALID("out_hash", wobble_world_state_hash(world, odd));
    INVALID("out_profile", wobble_world_profile(world, odd));
    INVALID("out_collider", wobble_collider_create(world, NULL, odd));
    INVALID("points", wobble_shape_create_from_points(odd, COUNT, 0, NULL, 0, NULL, &made));
    INVALID("masses", wobble_shape_create_from_points(cube_points(), COUNT, 0, odd, 0, NULL, &made));
    INVALID("out_body", wobble_body_create(world, shape, NULL, odd));
    INVALID("material", wobble_body_set_material(body, odd));
    INVALID("out_material", wobble_material_named("jelly", odd));
    INVALID("position", wobble_body_teleport(body, odd, NULL));
    INVALID("rotation", wobble_body_teleport(body, NULL, odd));
    INVALID("positions", wobble_body_set_positions(body, odd, COUNT, 0));
    INVALID("weights", wobble_body_set_level_weights(body, odd, 2));
    INVALID("out_positions", wobble_body_positions(body, odd, 0, COUNT));
    INVALID("out_transforms", wobble_body_cluster_transforms(body, 0, odd, 0, COUNT));
    INVALID("out_view", wobble_body_view_positions(body, odd));
    INVALID("shapes", wobble_world_restore(world, (const uint8_t *)room, 8, odd, 1));
    CHECK(is_untouched(room, sizeof room));
}

static void strides_and_counts_that_cannot_be_are_refused(void) {
    static float room[COUNT * 8];
    static const uint32_t wrong[] = {1, 4, 8, 11, 13, 14, 15, 4294967295u};
    uint32_t count;
    WobbleShape made;
    mark(room, sizeof room);
    mark(&made, sizeof made);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        INVALID("stride", wobble_body_positions(body, room, wrong[i], COUNT));
        INVALID("stride", wobble_body_velocities(body, room, wrong[i], COUNT));
        INVALID("stride", wobble_body_previous_positions(body, room, wrong[i], COUNT));
        INVALID("stride", wobble_shape_rest_positions(shape, room, wrong[i], COUNT));
        INVALID("stride", wobble_shape_cluster_centres(shape, 0, room, wrong[i], COUNT));
        INVALID("stride", wobble_body_set_positions(body, cube_points(), COUNT, wrong[i]));
        INVALID("stride", wobble_body_set_velocities(body, cube_points(), COUNT, wrong[i]));
        INVALID("stride", wobble_shape_create_from_points(cube_points(), COUNT, wrong[i], NULL, 0, NULL, &made));
    }
    INVALID("stride", wobble_body_cluster_transforms(body, 0, (WobbleTransform *)room, 24, COUNT));
    INVALID("stride", wobble_body_cluster_transforms(body, 0, (WobbleTransform *)room, 30, COUNT));
    INVALID("stride", wobble_shape_create_from_points(cube_points(), COUNT, 0, cube_points(), 3, NULL, &made));
    TOO_SMALL("out_positions", wobble_body_positions(body, room, 0, COUNT - 1));
    TOO_SMALL("out_velocities", wobble_body_velocities(body, room, 0, 0));
    TOO_SMALL("out_positions", wobble_body_previous_positions(body, NULL, 0, 0));
    TOO_SMALL("out_positions", wobble_shape_rest_positions(shape, room, 0, COUNT - 1));
    TOO_SMALL("out_centres", wobble_shape_cluster_centres(shape, 0, room, 0, 1));
    TOO_SMALL("out_widths", wobble_shape_cluster_widths(shape, 0, room, 0, 1));
    TOO_SMALL("out_masses", wobble_shape_masses(shape, room, 0, COUNT - 1));
    TOO_SMALL("memberships", wobble_shape_memberships(shape, 0, (WobbleMembership *)room, 1, &count));
    TOO_SMALL("planes", wobble_shape_planes(shape, (WobbleClusterPlane *)room, 0, &count));
    TOO_SMALL("out_transforms", wobble_body_cluster_transforms(body, 0, (WobbleTransform *)room, 0, 1));
    INVALID("positions", wobble_body_set_positions(body, cube_points(), COUNT - 1, 0));
    INVALID("velocities", wobble_body_set_velocities(body, cube_points(), 0, 0));
    INVALID("weights", wobble_body_set_level_weights(body, room, 1));
    INVALID("count", wobble_shape_create_from_points(cube_points(), UINT32_MAX, 0, NULL, 0, NULL, &made));
    INVALID("count", wobble_shape_create_from_points(cube_points(), UINT32_MAX, UINT32_MAX - 3, NULL, 0, NULL, &made));
    INVALID("count", wobble_shape_create_from_points(cube_points(), 16777217, 0, NULL, 0, NULL, &made));
    CHECK(is_untouched(room, sizeof room) && is_untouched(&made, sizeof made));
}

/* A huge count that is refused without a look at the memory, of which there is too little. */
static void huge_counts_are_refused_before_they_are_read(void) {
    WobbleShape none = {0};
    uint8_t bytes[8] = {0};
    INVALID("positions", wobble_body_set_positions(body, cube_points(), UINT32_MAX, 0));
    INVALID("velocities", wobble_body_set_velocities(body, cube_points(), UINT32_MAX, 0));
    INVALID("weights", wobble_body_set_level_weights(body, cube_points(), UINT32_MAX));
    REFUSED(WOBBLE_STATUS_CORRUPT, "snapshot", wobble_world_restore(world, bytes, 8, NULL, 0));
    REFUSED(WOBBLE_STATUS_NULL_HANDLE, "shape", wobble_world_restore(world, bytes, 8, &none, 1));
}

/* A struct of this version with room after it, as a newer host would have. */
#define NEWER(Type)                                                                                                    \
    struct {                                                                                                           \
        Type now;                                                                                                      \
        uint32_t later[4];                                                                                             \
    }

static void definitions_of_older_and_newer_hosts_are_read(void) {
    NEWER(WobbleWorldDef) def;
    WobbleWorld made;
    WobbleVec3 gravity;
    uint32_t threads;
    /* An older host's: struct_size and threads, nothing after. */
    mark(&def, sizeof def);
    OK(wobble_world_def_init(&def.now, 8));
    CHECK(def.now.struct_size == 8 && is_untouched(&def.now.substeps, sizeof def - 8));
    def.now.threads = 3;
    OK(wobble_world_create(&def.now, &made));
    OK(wobble_world_threads(made, &threads));
    OK(wobble_world_gravity(made, &gravity));
    CHECK(threads == 3);
    NEAR(gravity.y, -9.81, 1e-6);
    OK(wobble_world_destroy(made));
    /* A newer host's: what this library does not know must be zero. */
    mark(&def, sizeof def);
    OK(wobble_world_def_init(&def.now, sizeof def));
    CHECK(def.now.struct_size == sizeof def && def.later[0] == 0 && def.later[3] == 0);
    OK(wobble_world_create(&def.now, &made));
    OK(wobble_world_destroy(made));
    def.later[2] = 1;
    mark(&made, sizeof made);
    WRONG_SIZE("def", wobble_world_create(&def.now, &made));
    CHECK(is_untouched(&made, sizeof made));
}

static void results_for_older_and_newer_hosts_are_cut_to_size(void) {
    NEWER(WobbleStatistics) statistics;
    NEWER(WobbleMaterial) material;
    mark(&statistics, sizeof statistics);
    statistics.now.struct_size = 8;
    OK(wobble_world_statistics(world, &statistics.now));
    CHECK(statistics.now.struct_size == 8 && statistics.now.bodies == 1);
    CHECK(is_untouched(&statistics.now.enabled, sizeof statistics - 8));
    statistics.now.struct_size = sizeof statistics;
    OK(wobble_world_statistics(world, &statistics.now));
    CHECK(statistics.now.struct_size == sizeof statistics && statistics.now.shape_bytes > 0);
    CHECK(is_untouched(statistics.later, sizeof statistics.later));
    mark(&material, sizeof material);
    material.now.struct_size = 12;
    OK(wobble_body_material(body, &material.now));
    CHECK(material.now.stiffness == 40 && is_untouched(&material.now.damping_kind, sizeof material - 12));
    OK(wobble_body_set_material(body, &material.now));
}

static void sizes_that_no_version_has_are_refused(void) {
    static const uint32_t wrong[] = {0, 1, 4, 7, 9, 30, 4100, 4294967292u, 4294967295u};
    WobbleWorld made;
    WobbleCollider plane;
    WobbleShape built;
    WobbleBody created;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        NEWER(WobbleShapeDef) room;
        WobbleBodyDef body_def;
        mark(&room, sizeof room);
        WRONG_SIZE("size", wobble_world_def_init((WobbleWorldDef *)&room, wrong[i]));
        WRONG_SIZE("size", wobble_collider_def_init((WobbleColliderDef *)&room, wrong[i]));
        WRONG_SIZE("size", wobble_shape_def_init((WobbleShapeDef *)&room, wrong[i]));
        WRONG_SIZE("size", wobble_body_def_init((WobbleBodyDef *)&room, wrong[i]));
        WRONG_SIZE("size", wobble_material_init((WobbleMaterial *)&room, wrong[i]));
        room.now.struct_size = wrong[i];
        WRONG_SIZE("struct_size", wobble_world_create((WobbleWorldDef *)&room, &made));
        WRONG_SIZE("struct_size", wobble_collider_create(world, (WobbleColliderDef *)&room, &plane));
        WRONG_SIZE("struct_size", wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, &room.now, &built));
        WRONG_SIZE("struct_size", wobble_body_create(world, shape, (WobbleBodyDef *)&room, &created));
        WRONG_SIZE("struct_size", wobble_body_set_material(body, (WobbleMaterial *)&room));
        WRONG_SIZE("struct_size", wobble_material_named("jelly", (WobbleMaterial *)&room));
        WRONG_SIZE("struct_size", wobble_body_material(body, (WobbleMaterial *)&room));
        WRONG_SIZE("struct_size", wobble_world_profile(world, (WobbleProfile *)&room));
        WRONG_SIZE("struct_size", wobble_world_statistics(world, (WobbleStatistics *)&room));
        WRONG_SIZE("struct_size", wobble_shape_level_report(shape, 0, (WobbleLevelReport *)&room));
        OK(wobble_body_def_init(&body_def, sizeof body_def));
        body_def.material = (WobbleMaterial *)&room;
        WRONG_SIZE("material", wobble_body_create(world, shape, &body_def, &created));
        CHECK(is_untouched(&room.now.algorithm, sizeof room - sizeof(uint32_t)));
    }
}

int main(void) {
    uint64_t hash;
    world = calm_world();
    shape = cube();
    body = add_cube(world);
    hash = hash_of(world);
    null_pointers_are_named_for_worlds_and_shapes();
    null_pointers_are_named_for_bodies();
    misaligned_pointers_are_refused();
    strides_and_counts_that_cannot_be_are_refused();
    huge_counts_are_refused_before_they_are_read();
    definitions_of_older_and_newer_hosts_are_read();
    results_for_older_and_newer_hosts_are_cut_to_size();
    sizes_that_no_version_has_are_refused();
    CHECK(hash_of(world) == hash);
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
    return 0;
}
