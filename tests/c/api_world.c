/* Every function about the library, worlds and planes, and what it does. */
#include <pthread.h>

#include "check.h"

static void the_library_says_which_it_is(void) {
    CHECK(strcmp(wobble_last_error(), "") == 0);
    CHECK(strchr(wobble_version(), '.') != NULL);
    CHECK(wobble_abi_version() == WOBBLE_ABI_VERSION);
    CHECK(strcmp(wobble_status_name(WOBBLE_STATUS_OK), "OK") == 0);
    CHECK(strcmp(wobble_status_name(WOBBLE_STATUS_STALE_HANDLE), "STALE_HANDLE") == 0);
    for (int code = WOBBLE_STATUS_OK; code <= WOBBLE_STATUS_INTERNAL; code++) {
        CHECK(strcmp(wobble_status_name(code), "UNKNOWN") != 0);
        for (int other = 0; other < code; other++) {
            CHECK(strcmp(wobble_status_name(code), wobble_status_name(other)) != 0);
        }
    }
    CHECK(strcmp(wobble_status_name(-1), "UNKNOWN") == 0);
    CHECK(strcmp(wobble_status_name(WOBBLE_STATUS_INTERNAL + 1), "UNKNOWN") == 0);
}

static void a_world_starts_as_its_definition_says(void) {
    WobbleWorld world;
    WobbleWorldDef def;
    WobbleVec3 gravity;
    uint32_t number;
    OK(wobble_world_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.threads == 0 && def.substeps == 4);
    NEAR(def.gravity.y, -9.81, 1e-6);
    def.threads = 2;
    def.substeps = 7;
    def.gravity = vec3(1, 2, 3);
    OK(wobble_world_create(&def, &world));
    OK(wobble_world_gravity(world, &gravity));
    CHECK(gravity.x == 1 && gravity.y == 2 && gravity.z == 3);
    OK(wobble_world_threads(world, &number));
    CHECK(number == 2);
    OK(wobble_world_substeps(world, &number));
    CHECK(number == 7);
    OK(wobble_world_destroy(world));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "destroyed", wobble_world_substeps(world, &number));
}

static void a_world_can_be_changed(void) {
    WobbleWorld world;
    WobbleVec3 gravity;
    uint32_t number;
    OK(wobble_world_create(NULL, &world));
    OK(wobble_world_set_gravity(world, 0, 0, -1.6f));
    OK(wobble_world_gravity(world, &gravity));
    CHECK(gravity.x == 0 && gravity.y == 0 && gravity.z == -1.6f);
    OK(wobble_world_set_threads(world, 3));
    OK(wobble_world_threads(world, &number));
    CHECK(number == 3);
    OK(wobble_world_set_threads(world, 0));
    OK(wobble_world_threads(world, &number));
    CHECK(number >= 1);
    OK(wobble_world_set_substeps(world, 2));
    OK(wobble_world_substeps(world, &number));
    CHECK(number == 2);
    OK(wobble_world_destroy(world));
}

static void a_step_moves_what_is_in_the_world(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleProfile profile;
    uint64_t before = hash_of(world);
    OK(wobble_world_set_gravity(world, 0, -10, 0));
    OK(wobble_world_step(world, 0.1f));
    CHECK(hash_of(world) != before);
    /* Four substeps of g h each: a = 10, h = 0.025, 10 * 0.000625 * (1 + 2 + 3 + 4) */
    NEAR(centre_of(body).y, -0.0625, 1e-5);
    memset(&profile, 0, sizeof profile);
    profile.struct_size = sizeof profile;
    OK(wobble_world_profile(world, &profile));
    CHECK(profile.struct_size == sizeof profile && profile.substeps == 4 && profile.total > 0);
    CHECK(profile.matching > 0 && profile.integrate > 0 && profile.strain_rounds == 0);
    OK(wobble_world_destroy(world));
}

static void a_background_step_ends_where_a_plain_one_does(void) {
    WobbleWorld plain = calm_world(), background = calm_world();
    uint32_t done = 9;
    add_cube(plain);
    add_cube(background);
    OK(wobble_world_step_wait(background));
    OK(wobble_world_step_is_done(background, &done));
    CHECK(done == 1);
    for (int i = 0; i < 5; i++) {
        OK(wobble_world_set_gravity(plain, 0, -10, (float)i));
        OK(wobble_world_set_gravity(background, 0, -10, (float)i));
        OK(wobble_world_step(plain, 0.02f));
        OK(wobble_world_step_begin(background, 0.02f));
        if (i % 2 == 0) {
            OK(wobble_world_step_wait(background));
        } else {
            do {
                OK(wobble_world_step_is_done(background, &done));
            } while (!done);
        }
        CHECK(hash_of(plain) == hash_of(background));
    }
    OK(wobble_world_destroy(plain));
    OK(wobble_world_destroy(background));
}

static void statistics_and_lists_tell_what_a_world_holds(void) {
    WobbleWorld world = calm_world(), home;
    WobbleBody bodies[4], first = add_cube(world), second = add_cube(world);
    WobbleCollider plane;
    WobbleStatistics statistics;
    uint32_t count;
    OK(wobble_collider_create(world, NULL, &plane));
    OK(wobble_body_set_enabled(second, 0));
    statistics.struct_size = sizeof statistics;
    OK(wobble_world_statistics(world, &statistics));
    CHECK(statistics.bodies == 2 && statistics.enabled == 1 && statistics.frozen == 0);
    CHECK(statistics.colliders == 1 && statistics.threads == 1 && statistics.particles == 2 * COUNT);
    CHECK(statistics.clusters > 0 && statistics.memberships >= 2 * COUNT);
    CHECK(statistics.body_bytes > 0 && statistics.shape_bytes > 0 && statistics.shapes == 2);
    OK(wobble_world_body_count(world, &count));
    CHECK(count == 2);
    OK(wobble_world_bodies(world, bodies, 4, &count));
    CHECK(count == 2 && bodies[0].bits == first.bits && bodies[1].bits == second.bits);
    OK(wobble_body_world(second, &home));
    CHECK(home.bits == world.bits);
    OK(wobble_world_destroy(world));
}

static void planes_hold_bodies_up_until_they_are_destroyed(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleColliderDef def;
    WobbleCollider plane;
    WobbleBounds bounds;
    OK(wobble_world_set_gravity(world, 0, -10, 0));
    OK(wobble_collider_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.normal.y == 1 && def.friction == 0.5f && def.restitution == 0);
    def.offset = -2;
    OK(wobble_collider_create(world, &def, &plane));
    for (int i = 0; i < 120; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
    OK(wobble_body_bounds(body, &bounds));
    NEAR(bounds.low.y, -2, 1e-3);
    OK(wobble_collider_destroy(plane));
    for (int i = 0; i < 60; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
    OK(wobble_body_bounds(body, &bounds));
    CHECK(bounds.low.y < -4);
    OK(wobble_world_destroy(world));
}

static int lines;
static pthread_t host;

static void listen(uint32_t severity, const char *message, void *user) {
    CHECK(severity == WOBBLE_LOG_WARNING && strstr(message, "frozen") != NULL && user == &lines);
    /* Steps in the background are told here, too: no thread of the library's runs code of the host. */
    CHECK(pthread_equal(pthread_self(), host));
    /* No lock is held: the library can be called from here. */
    CHECK(wobble_abi_version() == WOBBLE_ABI_VERSION);
    lines++;
}

/* A body of the largest size and of large mass, whose quadratic sums overflow once its particles
 * are far enough apart. */
static WobbleBody overflowing(WobbleWorld world) {
    float points[27][3], masses[27];
    WobbleShape shape;
    WobbleBodyDef def;
    WobbleMaterial material;
    WobbleBody body;
    for (int i = 0; i < 27; i++) {
        points[i][0] = (float)(i % 3) * 5e8f;
        points[i][1] = (float)(i / 3 % 3) * 5e8f;
        points[i][2] = (float)(i / 9) * 5e8f;
        masses[i] = 1e8f;
    }
    OK(wobble_shape_create_from_points(points[0], 27, 0, masses, 0, NULL, &shape));
    OK(wobble_body_def_init(&def, sizeof def));
    OK(wobble_material_init(&material, sizeof material));
    material.stiffness_kind = WOBBLE_STIFFNESS_PER_STEP;
    material.damping_kind = WOBBLE_DAMPING_PER_STEP;
    material.stiffness = material.damping = 0;
    material.goals = WOBBLE_GOALS_QUADRATIC;
    material.goals_beta = 0.5f;
    def.material = &material;
    OK(wobble_body_create(world, shape, &def, &body));
    OK(wobble_shape_release(shape));
    return body;
}

/* Scatters the body until it is frozen. */
static uint32_t overflow(WobbleWorld world, WobbleBody body, int background) {
    uint32_t frozen = 0;
    for (int i = 0; i < 300 && !frozen; i++) {
        for (uint32_t particle = 0; particle < 27; particle++) {
            float speed = particle < 13 ? 1e9f : -1e9f;
            OK(wobble_body_set_velocity_of(body, particle, speed, speed, speed));
        }
        if (background) {
            OK(wobble_world_step_begin(world, 10));
            OK(wobble_world_step_wait(world));
        } else {
            OK(wobble_world_step(world, 10));
        }
        OK(wobble_body_is_frozen(body, &frozen));
    }
    return frozen;
}

static void the_log_tells_of_a_body_that_went_out_of_bounds(int background) {
    WobbleWorld world = calm_world();
    WobbleBody body = overflowing(world), other = add_cube(world), found[2];
    WobbleStatistics statistics;
    uint32_t frozen;
    WobbleVec3 before;
    lines = 0;
    host = pthread_self();
    wobble_set_log_callback(listen, &lines);
    CHECK(overflow(world, body, background) == 1 && lines == 1);
    OK(wobble_world_newly_frozen(world, found, 2, &frozen));
    CHECK(frozen == 1 && found[0].bits == body.bits);
    OK(wobble_world_step(world, 0.01f));
    OK(wobble_world_newly_frozen(world, found, 2, &frozen));
    CHECK(frozen == 0);
    wobble_set_log_callback(NULL, NULL);
    statistics.struct_size = sizeof statistics;
    OK(wobble_world_statistics(world, &statistics));
    CHECK(statistics.frozen == 1);
    OK(wobble_body_is_frozen(other, &frozen));
    CHECK(frozen == 0);
    before = centre_of(body);
    OK(wobble_world_step(world, 0.1f));
    CHECK(centre_of(body).x == before.x && centre_of(body).y == before.y);
    OK(wobble_body_reset(body));
    OK(wobble_body_is_frozen(body, &frozen));
    CHECK(frozen == 0);
    OK(wobble_world_destroy(world));
}

int main(void) {
    the_library_says_which_it_is();
    a_world_starts_as_its_definition_says();
    a_world_can_be_changed();
    a_step_moves_what_is_in_the_world();
    a_background_step_ends_where_a_plain_one_does();
    statistics_and_lists_tell_what_a_world_holds();
    planes_hold_bodies_up_until_they_are_destroyed();
    the_log_tells_of_a_body_that_went_out_of_bounds(0);
    the_log_tells_of_a_body_that_went_out_of_bounds(1);
    return 0;
}
