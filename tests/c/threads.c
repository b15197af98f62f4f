/* Calls from many threads at once, and steps in the background. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <time.h>

#include "check.h"

enum { THREADS = 4 };

static int rounds(int many) {
    return small() ? many / 10 + 1 : many;
}

static void run_at_once(void *(*work)(void *), void *arguments[THREADS]) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, work, arguments[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
}

static void nap(void) {
    struct timespec moment = {0, 100000};
    nanosleep(&moment, NULL);
}

static int is_finite(WobbleVec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* A thread with a world of its own. */
static void *lead_a_life(void *user) {
    WobbleShape shape = *(WobbleShape *)user;
    for (int i = 0; i < rounds(20); i++) {
        WobbleWorld world = calm_world();
        WobbleBody body;
        OK(wobble_shape_retain(shape));
        OK(wobble_body_create(world, shape, NULL, &body));
        OK(wobble_body_apply_impulse(body, 1, 2, 3));
        for (int step = 0; step < 5; step++) {
            OK(wobble_world_step(world, 0.02f));
        }
        NEAR(centre_of(body).z, 0.3, 1e-3);
        OK(wobble_world_destroy(world));
        OK(wobble_shape_release(shape));
    }
    return NULL;
}

static void worlds_on_many_threads_do_not_meet(void) {
    WobbleShape shape = cube();
    void *arguments[THREADS] = {&shape, &shape, &shape, &shape};
    float mass;
    run_at_once(lead_a_life, arguments);
    OK(wobble_shape_release(shape));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "shape", wobble_shape_mass(shape, &mass));
}

/* A thread that makes, steps, reads and destroys in a world with others. */
static void *share(void *user) {
    WobbleWorld world = *(WobbleWorld *)user;
    WobbleShape shape = cube();
    float positions[COUNT * 3];
    for (int i = 0; i < rounds(60); i++) {
        WobbleBody body;
        WobbleCollider plane;
        WobbleVec3 centre;
        OK(wobble_body_create(world, shape, NULL, &body));
        OK(wobble_collider_create(world, NULL, &plane));
        OK(wobble_world_step(world, 0.01f));
        OK(wobble_body_positions(body, positions, 0, COUNT));
        OK(wobble_body_centre_of_mass(body, &centre));
        CHECK(is_finite(centre));
        OK(wobble_body_pin(body, (uint32_t)i % COUNT));
        OK(wobble_collider_destroy(plane));
        OK(wobble_body_destroy(body));
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_destroy(body));
    }
    OK(wobble_shape_release(shape));
    return NULL;
}

static void threads_in_one_world_wait_for_each_other(void) {
    WobbleWorld world = calm_world();
    void *arguments[THREADS] = {&world, &world, &world, &world};
    uint32_t count = 9;
    run_at_once(share, arguments);
    OK(wobble_world_body_count(world, &count));
    CHECK(count == 0);
    OK(wobble_world_destroy(world));
}

struct Doomed {
    WobbleWorld world;
    WobbleBody body;
    WobbleShape shape;
    pthread_barrier_t *start;
    WobbleStatus status[3];
};

static void *destroy(void *user) {
    struct Doomed *doomed = user;
    pthread_barrier_wait(doomed->start);
    doomed->status[0] = wobble_body_destroy(doomed->body);
    doomed->status[1] = wobble_world_destroy(doomed->world);
    doomed->status[2] = wobble_shape_release(doomed->shape);
    return NULL;
}

static void of_threads_that_destroy_one_thing_one_succeeds(void) {
    pthread_barrier_t start;
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int i = 0; i < rounds(100); i++) {
        struct Doomed doomed[THREADS];
        void *arguments[THREADS];
        int bodies = 0, worlds = 0, shapes = 0;
        doomed[0].world = calm_world();
        doomed[0].body = add_cube(doomed[0].world);
        doomed[0].shape = cube();
        doomed[0].start = &start;
        for (int t = 0; t < THREADS; t++) {
            doomed[t] = doomed[0];
            arguments[t] = &doomed[t];
        }
        if (i % 2 == 0) {
            OK(wobble_world_step_begin(doomed[0].world, 0.02f));
        }
        run_at_once(destroy, arguments);
        for (int t = 0; t < THREADS; t++) {
            for (int what = 0; what < 3; what++) {
                WobbleStatus status = doomed[t].status[what];
                int busy = what == 0 && status == WOBBLE_STATUS_BUSY;
                CHECK(status == WOBBLE_STATUS_OK || status == WOBBLE_STATUS_STALE_HANDLE || busy);
            }
            bodies += doomed[t].status[0] == WOBBLE_STATUS_OK;
            worlds += doomed[t].status[1] == WOBBLE_STATUS_OK;
            shapes += doomed[t].status[2] == WOBBLE_STATUS_OK;
        }
        CHECK(bodies <= 1 && worlds == 1 && shapes == 1);
    }
    CHECK(pthread_barrier_destroy(&start) == 0);
}

/* A body that takes a while to step, in a world that is. */
static WobbleBody slow_body(WobbleWorld world) {
    uint32_t edge = small() ? 8 : 24, count = edge * edge * edge;
    float *points = malloc(count * 3 * sizeof *points);
    WobbleShape shape;
    WobbleBody body;
    CHECK(points != NULL);
    for (uint32_t i = 0; i < count; i++) {
        points[3 * i] = (float)(i % edge);
        points[3 * i + 1] = (float)(i / edge % edge);
        points[3 * i + 2] = (float)(i / (edge * edge));
    }
    OK(wobble_shape_create_from_points(points, count, 0, NULL, 0, NULL, &shape));
    OK(wobble_body_create(world, shape, NULL, &body));
    OK(wobble_shape_release(shape));
    OK(wobble_world_set_substeps(world, 64));
    free(points);
    return body;
}

static void reads_during_a_background_step_give_the_state_before(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = slow_body(world);
    uint32_t done = 9, count, seen = 0;
    float *before, *during;
    WobbleView view;
    OK(wobble_body_particle_count(body, &count));
    before = malloc(count * 3 * sizeof *before);
    during = malloc(count * 3 * sizeof *during);
    CHECK(before != NULL && during != NULL);
    OK(wobble_body_set_velocity(body, 1, 0, 0));
    OK(wobble_body_positions(body, before, 0, count));
    for (int i = 0; i < rounds(5); i++) {
        OK(wobble_world_step_begin(world, 0.1f));
        for (;;) {
            OK(wobble_body_positions(body, during, 0, count));
            OK(wobble_body_view_positions(body, &view));
            OK(wobble_world_step_is_done(world, &done));
            if (done) {
                break;
            }
            CHECK(memcmp(before, during, count * 3 * sizeof *during) == 0 && view.count == count);
            seen++;
        }
        OK(wobble_world_step_wait(world));
        OK(wobble_body_positions(body, during, 0, count));
        CHECK(during[0] > before[0]);
        memcpy(before, during, count * 3 * sizeof *during);
    }
    CHECK(seen > 0);
    free(before);
    free(during);
    OK(wobble_world_destroy(world));
}

#define BUSY(call) REFUSED(WOBBLE_STATUS_BUSY, "background", call)

static void changes_during_a_background_step_are_refused_as_busy(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = slow_body(world), made;
    WobbleCollider plane;
    WobbleShape shape = cube();
    uint32_t done = 9, number, size;
    uint64_t hash;
    uint8_t bytes[8];
    int told = 0;
    OK(wobble_collider_create(world, NULL, &plane));
    for (int i = 0; i < 10 && !told; i++) {
        WobbleStatus first;
        OK(wobble_world_step_begin(world, 1));
        first = wobble_body_set_velocity(body, 1, 0, 0);
        OK(wobble_world_step_is_done(world, &done));
        if (first == WOBBLE_STATUS_BUSY && !done) {
            BUSY(wobble_world_step_begin(world, 1));
            BUSY(wobble_world_step(world, 1));
            BUSY(wobble_world_set_gravity(world, 0, 0, 0));
            BUSY(wobble_world_set_substeps(world, 64));
            BUSY(wobble_world_set_threads(world, 1));
            BUSY(wobble_world_state_hash(world, &hash));
            BUSY(wobble_world_snapshot(world, bytes, 8, &size));
            BUSY(wobble_world_body_count(world, &number));
            BUSY(wobble_body_create(world, shape, NULL, &made));
            BUSY(wobble_body_destroy(body));
            BUSY(wobble_body_reset(body));
            BUSY(wobble_body_apply_impulse(body, 1, 1, 1));
            BUSY(wobble_collider_destroy(plane));
            OK(wobble_world_step_is_done(world, &done));
            told = !done;
        }
        OK(wobble_world_step_wait(world));
    }
    CHECK(told);
    OK(wobble_body_reset(body));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
}

static void a_world_can_be_destroyed_while_it_steps_in_the_background(void) {
    for (int i = 0; i < rounds(10); i++) {
        WobbleWorld world = calm_world();
        WobbleBody body = slow_body(world);
        uint32_t done;
        OK(wobble_world_step_begin(world, 0.1f));
        OK(wobble_world_destroy(world));
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_reset(body));
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "world", wobble_world_step_wait(world));
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "world", wobble_world_step_is_done(world, &done));
    }
}

/* Waits and reads until the world is gone. */
static void *watch(void *user) {
    struct Doomed *doomed = user;
    pthread_barrier_wait(doomed->start);
    for (;;) {
        WobbleVec3 centre;
        WobbleStatus waited = wobble_world_step_wait(doomed->world);
        WobbleStatus read = wobble_body_centre_of_mass(doomed->body, &centre);
        if (read == WOBBLE_STATUS_OK) {
            CHECK(is_finite(centre));
        }
        if (waited != WOBBLE_STATUS_OK) {
            doomed->status[0] = waited;
            return NULL;
        }
        wobble_world_step_begin(doomed->world, 0.02f);
    }
}

static void threads_that_wait_are_let_go_when_the_world_is_destroyed(void) {
    for (int i = 0; i < rounds(20); i++) {
        struct Doomed doomed[THREADS];
        pthread_t threads[THREADS];
        pthread_barrier_t start;
        CHECK(pthread_barrier_init(&start, NULL, THREADS + 1) == 0);
        doomed[0].world = calm_world();
        doomed[0].body = add_cube(doomed[0].world);
        doomed[0].start = &start;
        for (int t = 0; t < THREADS; t++) {
            doomed[t] = doomed[0];
            CHECK(pthread_create(&threads[t], NULL, watch, &doomed[t]) == 0);
        }
        pthread_barrier_wait(&start);
        nap();
        OK(wobble_world_destroy(doomed[0].world));
        for (int t = 0; t < THREADS; t++) {
            CHECK(pthread_join(threads[t], NULL) == 0);
            CHECK(doomed[t].status[0] == WOBBLE_STATUS_STALE_HANDLE);
        }
        CHECK(pthread_barrier_destroy(&start) == 0);
    }
}

static void *err(void *user) {
    int which = *(int *)user;
    WobbleWorld none = {0};
    for (int i = 0; i < rounds(1000); i++) {
        if (which % 2 == 0) {
            REFUSED(WOBBLE_STATUS_NULL_HANDLE, "null", wobble_world_step_wait(none));
        } else {
            REFUSED(WOBBLE_STATUS_NULL_POINTER, "out_world", wobble_world_create(NULL, NULL));
        }
    }
    return NULL;
}

static void every_thread_has_its_own_last_error(void) {
    int numbers[THREADS] = {0, 1, 2, 3};
    void *arguments[THREADS] = {&numbers[0], &numbers[1], &numbers[2], &numbers[3]};
    run_at_once(err, arguments);
    CHECK(strcmp(wobble_last_error(), "") == 0);
}

int main(void) {
    every_thread_has_its_own_last_error();
    worlds_on_many_threads_do_not_meet();
    threads_in_one_world_wait_for_each_other();
    of_threads_that_destroy_one_thing_one_succeeds();
    reads_during_a_background_step_give_the_state_before();
    changes_during_a_background_step_are_refused_as_busy();
    a_world_can_be_destroyed_while_it_steps_in_the_background();
    threads_that_wait_are_let_go_when_the_world_is_destroyed();
    return 0;
}
