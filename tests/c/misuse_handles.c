/*
 * Handles that are null, stale, of another kind or made up, given to every function that takes
 * one: each call is refused with the right code, writes nothing and changes nothing.
 */
#include "check.h"

/* Where calls would write. */
static union {
    float floats[COUNT * 7];
    uint32_t number;
    uint64_t wide;
    WobbleWorld world;
    WobbleBody bodies[4];
    WobbleShape shape;
    WobbleCollider collider;
    WobbleVec3 vector;
    WobbleView view;
    WobbleBounds bounds;
    WobbleTransform transforms[COUNT];
    WobbleMembership memberships[4];
    WobbleClusterPlane planes[4];
    uint8_t bytes[65536];
} out;
static uint32_t out_size;
static const uint32_t *out_order;

static WobbleProfile profile;
static WobbleStatistics statistics;
static WobbleLevelReport report;
static WobbleMaterial material;

/* Good arguments, so that nothing but the handle is to blame. */
static WobbleWorld good_world;
static WobbleShape good_shape;
static float weights[16] = {1};
static float arrays[COUNT * 3];

static WobbleStatus call_world(int which, WobbleWorld w) {
    switch (which) {
    case 0: return wobble_world_destroy(w);
    case 1: return wobble_world_set_gravity(w, 0, 0, 0);
    case 2: return wobble_world_gravity(w, &out.vector);
    case 3: return wobble_world_set_threads(w, 1);
    case 4: return wobble_world_threads(w, &out.number);
    case 5: return wobble_world_set_substeps(w, 1);
    case 6: return wobble_world_substeps(w, &out.number);
    case 7: return wobble_world_step(w, 0.1f);
    case 8: return wobble_world_step_begin(w, 0.1f);
    case 9: return wobble_world_step_is_done(w, &out.number);
    case 10: return wobble_world_step_wait(w);
    case 11: return wobble_world_profile(w, &profile);
    case 12: return wobble_world_statistics(w, &statistics);
    case 13: return wobble_world_state_hash(w, &out.wide);
    case 14: return wobble_world_body_count(w, &out.number);
    case 15: return wobble_world_bodies(w, out.bodies, 4, &out_size);
    case 16: return wobble_world_snapshot_size(w, &out.number);
    case 17: return wobble_world_snapshot(w, out.bytes, sizeof out.bytes, &out_size);
    case 18: return wobble_world_restore(w, out.bytes, 100, NULL, 0);
    case 19: return wobble_collider_create(w, NULL, &out.collider);
    case 20: return wobble_body_create(w, good_shape, NULL, out.bodies);
    case 21: return wobble_world_newly_frozen(w, out.bodies, 4, &out_size);
    default: return -1;
    }
}

static WobbleStatus call_shape(int which, WobbleShape s) {
    switch (which) {
    case 0: return wobble_shape_retain(s);
    case 1: return wobble_shape_release(s);
    case 2: return wobble_shape_save_size(s, &out.number);
    case 3: return wobble_shape_save(s, out.bytes, sizeof out.bytes, &out_size);
    case 4: return wobble_shape_particle_count(s, &out.number);
    case 5: return wobble_shape_level_count(s, &out.number);
    case 6: return wobble_shape_mass(s, out.floats);
    case 7: return wobble_shape_fingerprint(s, &out.wide);
    case 8: return wobble_shape_level_report(s, 0, &report);
    case 9: return wobble_shape_rest_positions(s, out.floats, 0, COUNT);
    case 10: return wobble_shape_cluster_centres(s, 0, out.floats, 0, COUNT);
    case 11: return wobble_shape_view_order(s, &out_order, &out.number);
    case 12: return wobble_body_create(good_world, s, NULL, out.bodies);
    case 13: return wobble_world_restore(good_world, out.bytes, 100, &s, 1);
    case 14: return wobble_shape_is_nested(s, &out.number);
    case 15: return wobble_shape_masses(s, out.floats, 0, COUNT);
    case 16: return wobble_shape_cluster_widths(s, 0, out.floats, 0, COUNT);
    case 17: return wobble_shape_membership_count(s, 0, &out.number);
    case 18: return wobble_shape_memberships(s, 0, out.memberships, 4, &out_size);
    case 19: return wobble_shape_plane_count(s, &out.number);
    case 20: return wobble_shape_planes(s, out.planes, 4, &out_size);
    default: return -1;
    }
}

static WobbleStatus call_body(int which, WobbleBody b) {
    static const WobbleVec3 zero;
    switch (which) {
    case 0: return wobble_body_destroy(b);
    case 1: return wobble_body_world(b, &out.world);
    case 2: return wobble_body_shape(b, &out.shape);
    case 3: return wobble_body_set_enabled(b, 0);
    case 4: return wobble_body_set_velocity(b, 1, 1, 1);
    case 5: return wobble_body_teleport(b, &zero, NULL);
    case 6: return wobble_body_reset(b);
    case 7: return wobble_body_apply_force(b, 1, 1, 1);
    case 8: return wobble_body_apply_force_to(b, 0, 1, 1, 1);
    case 9: return wobble_body_apply_impulse(b, 1, 1, 1);
    case 10: return wobble_body_apply_impulse_to(b, 0, 1, 1, 1);
    case 11: return wobble_body_apply_impulse_at(b, &zero, &zero, 1);
    case 12: return wobble_body_pin(b, 0);
    case 13: return wobble_body_unpin(b, 0);
    case 14: return wobble_body_move_pin(b, 0, 1, 1, 1);
    case 15: return wobble_body_set_position_of(b, 0, 1, 1, 1);
    case 16: return wobble_body_set_velocity_of(b, 0, 1, 1, 1);
    case 17: return wobble_body_set_positions(b, arrays, COUNT, 0);
    case 18: return wobble_body_set_velocities(b, arrays, COUNT, 0);
    case 19: return wobble_body_snapshot_size(b, &out.number);
    case 20: return wobble_body_snapshot(b, out.bytes, sizeof out.bytes, &out_size);
    case 21: return wobble_body_restore(b, out.bytes, 100);
    case 22: return wobble_body_material(b, &material);
    case 23: return wobble_body_set_material(b, &material);
    case 24: return wobble_body_set_preset(b, "jelly");
    case 25: return wobble_body_level_count(b, &out.number);
    case 26: return wobble_body_level_weight(b, 0, out.floats);
    case 27: return wobble_body_set_level_weights(b, weights, 2);
    case 28: return wobble_body_set_level_weight(b, 0, 0.5f);
    case 29: return wobble_body_set_weighting(b, "uniform", 0, 0);
    case 30: return wobble_body_level_stiffness(b, 0, out.floats);
    case 31: return wobble_body_set_level_stiffness(b, 0, 1);
    case 32: return wobble_body_level_damping(b, 0, out.floats);
    case 33: return wobble_body_set_level_damping(b, 0, 1);
    case 34: return wobble_body_particle_count(b, &out.number);
    case 35: return wobble_body_positions(b, out.floats, 0, COUNT);
    case 36: return wobble_body_velocities(b, out.floats, 0, COUNT);
    case 37: return wobble_body_previous_positions(b, out.floats, 0, COUNT);
    case 38: return wobble_body_view_positions(b, &out.view);
    case 39: return wobble_body_view_velocities(b, &out.view);
    case 40: return wobble_body_cluster_transforms(b, 0, out.transforms, 0, COUNT);
    case 41: return wobble_body_centre_of_mass(b, &out.vector);
    case 42: return wobble_body_momentum(b, &out.vector);
    case 43: return wobble_body_angular_momentum(b, &out.vector);
    case 44: return wobble_body_bounds(b, &out.bounds);
    case 45: return wobble_body_shape_error(b, out.floats);
    case 46: return wobble_body_kinetic_energy(b, out.floats);
    case 47: return wobble_body_elastic_energy(b, out.floats);
    case 48: return wobble_body_is_enabled(b, &out.number);
    case 49: return wobble_body_is_frozen(b, &out.number);
    case 50: return wobble_body_is_pinned(b, 0, &out.number);
    case 51: return wobble_body_pin_count(b, &out.number);
    case 52: return wobble_body_pins(b, &out.number, 1, &out_size);
    case 53: return wobble_body_apply_torque_impulse(b, 1, 1, 1);
    case 54: return wobble_body_volume(b, out.floats);
    default: return -1;
    }
}

enum Kind { WORLD, SHAPE, BODY, COLLIDER };

static WobbleStatus call(enum Kind kind, int which, uint64_t bits) {
    WobbleWorld world = {bits};
    WobbleShape shape = {bits};
    WobbleBody body = {bits};
    WobbleCollider collider = {bits};
    switch (kind) {
    case WORLD: return call_world(which, world);
    case SHAPE: return call_shape(which, shape);
    case BODY: return call_body(which, body);
    default: return which == 0 ? wobble_collider_destroy(collider) : -1;
    }
}

static void set_up_outputs(void) {
    mark(&out, sizeof out);
    mark(&out_size, sizeof out_size);
    mark(&out_order, sizeof out_order);
    mark(&profile, sizeof profile);
    mark(&statistics, sizeof statistics);
    mark(&report, sizeof report);
    profile.struct_size = sizeof profile;
    statistics.struct_size = sizeof statistics;
    report.struct_size = sizeof report;
    OK(wobble_material_init(&material, sizeof material));
}

static void nothing_was_written(void) {
    WobbleMaterial plain;
    CHECK(is_untouched(&out, sizeof out) && is_untouched(&out_size, sizeof out_size));
    CHECK(is_untouched(&out_order, sizeof out_order));
    CHECK(is_untouched(&profile.substeps, sizeof profile - sizeof(uint32_t)));
    CHECK(is_untouched(&statistics.bodies, sizeof statistics - sizeof(uint32_t)));
    CHECK(is_untouched(&report.clusters, sizeof report - sizeof(uint32_t)));
    OK(wobble_material_init(&plain, sizeof plain));
    CHECK(memcmp(&plain, &material, sizeof plain) == 0);
}

/* Gives the bits to every function for this kind. */
static void all_refuse(enum Kind kind, uint64_t bits, WobbleStatus wanted) {
    static const char *const names[] = {"world", "shape", "body", "collider"};
    WobbleStatus status;
    int which = 0;
    set_up_outputs();
    while ((status = call(kind, which, bits)) != -1) {
        if (status != wanted || strstr(wobble_last_error(), names[kind]) == NULL) {
            fprintf(stderr, "call %d for a %s with handle %#llx gave %s, \"%s\"\n", which, names[kind],
                    (unsigned long long)bits, wobble_status_name(status), wobble_last_error());
            exit(1);
        }
        which++;
    }
    CHECK(which > 0);
    nothing_was_written();
}

int main(void) {
    WobbleWorld other_world = calm_world();
    WobbleBody body, stale_body, lost_body;
    WobbleShape stale_shape = cube();
    WobbleCollider collider, stale_collider, lost_collider;
    uint64_t hash, live[4];
    good_world = calm_world();
    good_shape = cube();
    body = add_cube(good_world);
    stale_body = add_cube(good_world);
    lost_body = add_cube(other_world);
    OK(wobble_collider_create(good_world, NULL, &collider));
    OK(wobble_collider_create(good_world, NULL, &stale_collider));
    OK(wobble_collider_create(other_world, NULL, &lost_collider));
    OK(wobble_body_destroy(stale_body));
    OK(wobble_collider_destroy(stale_collider));
    OK(wobble_shape_release(stale_shape));
    OK(wobble_world_destroy(other_world));
    live[WORLD] = good_world.bits;
    live[SHAPE] = good_shape.bits;
    live[BODY] = body.bits;
    live[COLLIDER] = collider.bits;
    hash = hash_of(good_world);

    for (int kind = WORLD; kind <= COLLIDER; kind++) {
        all_refuse((enum Kind)kind, 0, WOBBLE_STATUS_NULL_HANDLE);
        for (int other = WORLD; other <= COLLIDER; other++) {
            if (other != kind) {
                all_refuse((enum Kind)kind, live[other], WOBBLE_STATUS_INVALID_HANDLE);
            }
        }
        for (uint64_t made_up = 1; made_up != 0; made_up <<= 4) {
            if (made_up < UINT64_C(1) << 61) {
                all_refuse((enum Kind)kind, made_up, WOBBLE_STATUS_INVALID_HANDLE);
            }
        }
        all_refuse((enum Kind)kind, UINT64_MAX, WOBBLE_STATUS_INVALID_HANDLE);
    }
    all_refuse(WORLD, other_world.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(SHAPE, stale_shape.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(BODY, stale_body.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(BODY, lost_body.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(COLLIDER, stale_collider.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(COLLIDER, lost_collider.bits, WOBBLE_STATUS_STALE_HANDLE);
    /* One bit off: a generation that is still to come, or a place that is not there. */
    all_refuse(WORLD, good_world.bits + 1000, WOBBLE_STATUS_INVALID_HANDLE);
    all_refuse(SHAPE, good_shape.bits + 1000, WOBBLE_STATUS_INVALID_HANDLE);
    all_refuse(BODY, body.bits + 1000, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(COLLIDER, collider.bits + 1000, WOBBLE_STATUS_STALE_HANDLE);

    CHECK(hash_of(good_world) == hash);
    OK(wobble_collider_destroy(collider));
    OK(wobble_body_destroy(body));
    OK(wobble_shape_release(good_shape));
    OK(wobble_world_destroy(good_world));
    return 0;
}
