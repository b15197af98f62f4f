/* Every function about sleep, and what it does. */
#include "check.h"

static void step(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

static uint32_t sleeps(WobbleBody body) {
    uint32_t sleeping = 2;
    OK(wobble_body_is_sleeping(body, &sleeping));
    return sleeping;
}

/* A body without weight or motion sleeps after half a second; every call about it wakes it. */
static void a_body_at_rest_falls_asleep_and_wakes(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world), found[2];
    WobbleStatistics statistics;
    uint32_t count, told = 0;
    for (int i = 0; i < 60; i++) {
        step(world, 1);
        OK(wobble_world_slept(world, found, 2, &count));
        told += count;
        CHECK(count == 0 || (count == 1 && found[0].bits == body.bits));
    }
    CHECK(told == 1 && sleeps(body) == 1);
    statistics.struct_size = sizeof statistics;
    OK(wobble_world_statistics(world, &statistics));
    CHECK(statistics.sleeping == 1);
    OK(wobble_body_apply_impulse(body, 0, 1, 0));
    CHECK(sleeps(body) == 0);
    step(world, 1);
    OK(wobble_world_woke(world, found, 2, &count));
    CHECK(count == 1 && found[0].bits == body.bits);
    step(world, 1);
    OK(wobble_world_woke(world, found, 2, &count));
    CHECK(count == 0 && centre_of(body).y > 0.0f);
    OK(wobble_body_put_to_sleep(body));
    CHECK(sleeps(body) == 1 && velocity_of(body, 0).y == 0.0f);
    OK(wobble_body_wake(body));
    CHECK(sleeps(body) == 0);
    OK(wobble_body_put_to_sleep(body));
    OK(wobble_world_wake_all(world));
    CHECK(sleeps(body) == 0);
    OK(wobble_world_destroy(world));
}

static void bodies_and_worlds_can_be_kept_awake(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world), other;
    WobbleShape shape = cube();
    WobbleBodyDef def;
    uint32_t enabled, can_sleep;
    float speed;
    OK(wobble_body_def_init(&def, sizeof def));
    CHECK(def.can_sleep == 1);
    def.can_sleep = 0;
    def.position.x = 5.0f;
    OK(wobble_body_create(world, shape, &def, &other));
    step(world, 60);
    CHECK(sleeps(body) == 1 && sleeps(other) == 0);
    OK(wobble_body_can_sleep(other, &can_sleep));
    CHECK(can_sleep == 0);
    OK(wobble_body_set_can_sleep(other, 1));
    OK(wobble_body_can_sleep(other, &can_sleep));
    CHECK(can_sleep == 1);
    step(world, 60);
    CHECK(sleeps(other) == 1);
    OK(wobble_world_set_sleeping(world, 0, 0.5f));
    OK(wobble_world_sleeping(world, &enabled, &speed));
    CHECK(enabled == 0 && speed == 0.5f);
    step(world, 60);
    CHECK(sleeps(body) == 0 && sleeps(other) == 0);
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
}

int main(void) {
    a_body_at_rest_falls_asleep_and_wakes();
    bodies_and_worlds_can_be_kept_awake();
    return 0;
}
