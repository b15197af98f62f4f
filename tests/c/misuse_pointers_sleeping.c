/* Null and misaligned pointers for every function about sleep. */
#include "check.h"

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)

int main(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world), found;
    uint32_t number;
    float speed;
    static uint64_t room[2];
    void *one_off = (unsigned char *)room + 1;
    NULL_POINTER("out_enabled", wobble_world_sleeping(world, NULL, &speed));
    NULL_POINTER("out_speed", wobble_world_sleeping(world, &number, NULL));
    NULL_POINTER("out_count", wobble_world_slept(world, &found, 1, NULL));
    NULL_POINTER("out_count", wobble_world_woke(world, &found, 1, NULL));
    NULL_POINTER("out_can_sleep", wobble_body_can_sleep(body, NULL));
    NULL_POINTER("out_sleeping", wobble_body_is_sleeping(body, NULL));
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "out_sleeping", wobble_body_is_sleeping(body, one_off));
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "out_enabled", wobble_world_sleeping(world, one_off, &speed));
    OK(wobble_world_slept(world, NULL, 0, &number));
    OK(wobble_world_woke(world, NULL, 0, &number));
    OK(wobble_body_put_to_sleep(body));
    OK(wobble_world_step(world, 0.01f));
    NULL_POINTER("out_bodies", wobble_world_slept(world, NULL, 1, &number));
    OK(wobble_body_wake(body));
    OK(wobble_world_step(world, 0.01f));
    NULL_POINTER("out_bodies", wobble_world_woke(world, NULL, 1, &number));
    OK(wobble_world_destroy(world));
    return 0;
}
