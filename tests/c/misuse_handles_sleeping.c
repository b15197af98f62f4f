/* Wrong handles for every function about sleep. */
#include "check.h"

static WobbleStatus call_world(int which, WobbleWorld w) {
    WobbleBody found;
    uint32_t count;
    float speed;
    switch (which) {
    case 0: return wobble_world_set_sleeping(w, 1, 0.02f);
    case 1: return wobble_world_sleeping(w, &count, &speed);
    case 2: return wobble_world_slept(w, &found, 1, &count);
    case 3: return wobble_world_woke(w, &found, 1, &count);
    case 4: return wobble_world_wake_all(w);
    default: return -1;
    }
}

static WobbleStatus call_body(int which, WobbleBody b) {
    uint32_t flag;
    switch (which) {
    case 0: return wobble_body_set_can_sleep(b, 1);
    case 1: return wobble_body_can_sleep(b, &flag);
    case 2: return wobble_body_is_sleeping(b, &flag);
    case 3: return wobble_body_wake(b);
    case 4: return wobble_body_put_to_sleep(b);
    default: return -1;
    }
}

/* Bits that name nothing, given to all: null, of another kind, stale, and made up. */
static void all_refuse(uint64_t world, uint64_t body, WobbleStatus wanted) {
    for (int i = 0; i < 5; i++) {
        WobbleWorld w = {world};
        WobbleBody b = {body};
        REFUSED(wanted, world == 0 ? "handle" : "", call_world(i, w));
        REFUSED(wanted, "handle", call_body(i, b));
    }
}

int main(void) {
    WobbleWorld world = calm_world(), gone = calm_world();
    WobbleBody body = add_cube(world), stale = add_cube(world);
    OK(wobble_body_destroy(stale));
    OK(wobble_world_destroy(gone));
    all_refuse(0, 0, WOBBLE_STATUS_NULL_HANDLE);
    all_refuse(body.bits, world.bits, WOBBLE_STATUS_INVALID_HANDLE);
    all_refuse(gone.bits, stale.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(gone.bits, body.bits + 1000, WOBBLE_STATUS_STALE_HANDLE);
    OK(wobble_world_destroy(world));
    return 0;
}
