/* Numbers that cannot be, for every function about sleep: refused, nothing changed. */
#include "check.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

int main(void) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, -0.1f, 2e6f};
    WobbleWorld world = calm_world(), other;
    WobbleBody body = add_cube(world), found;
    WobbleShape shape = cube();
    WobbleWorldDef def;
    WobbleBodyDef body_def;
    uint32_t number;
    float speed;
    OK(wobble_world_def_init(&def, sizeof def));
    CHECK(def.sleeping == 1 && def.sleep_speed == 0.03f);
    for (int i = 0; i < 5; i++) {
        INVALID("sleep_speed", wobble_world_set_sleeping(world, 1, bad[i]));
        def.sleep_speed = bad[i];
        INVALID("sleep_speed", wobble_world_create(&def, &other));
    }
    INVALID("enabled", wobble_world_set_sleeping(world, 2, 0.02f));
    INVALID("can_sleep", wobble_body_set_can_sleep(body, 7));
    OK(wobble_world_sleeping(world, &number, &speed));
    CHECK(number == 1 && speed == 0.03f);
    def.sleep_speed = 0.0f;
    def.sleeping = 2;
    INVALID("sleeping", wobble_world_create(&def, &other));
    OK(wobble_body_def_init(&body_def, sizeof body_def));
    body_def.can_sleep = 2;
    INVALID("can_sleep", wobble_body_create(world, shape, &body_def, &found));
    OK(wobble_body_put_to_sleep(body));
    OK(wobble_world_step(world, 0.01f));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "bodies", wobble_world_slept(world, &found, 0, &number));
    OK(wobble_world_wake_all(world));
    OK(wobble_world_step(world, 0.01f));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "bodies", wobble_world_woke(world, &found, 0, &number));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
    return 0;
}
