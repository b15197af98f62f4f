/* Wrong handles for every function about lasting change. */
#include "check.h"

static WobbleStatus call_world(int which, WobbleWorld w) {
    WobbleBreak found;
    uint32_t count, other;
    switch (which) {
    case 0: return wobble_world_breaks(w, &found, 1, &count);
    case 1: return wobble_world_break_count(w, &count, &other);
    case 2: return wobble_world_broken_particles(w, &other, 1, &count);
    case 3: return wobble_world_set_most_fractures(w, 1);
    case 4: return wobble_world_most_fractures(w, &count);
    default: return -1;
    }
}

enum { WORLD_CALLS = 5, BODY_CALLS = 10 };

static WobbleStatus call_body(int which, WobbleBody b) {
    static const WobbleVec3 one = {1.0f, 1.0f, 1.0f}, two[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    static const WobbleVec3 there[2] = {{0.0f, 1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}};
    WobblePlasticity plasticity = {sizeof plasticity, 0.1f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 30, 16};
    WobbleFracture fracture = {sizeof fracture, 0.1f, 4};
    uint32_t flag;
    float number;
    switch (which) {
    case 0: return wobble_body_set_plasticity(b, &plasticity);
    case 1: return wobble_body_plasticity(b, &plasticity, &flag);
    case 2: return wobble_body_level_flow(b, 0, &number);
    case 3: return wobble_body_set_level_flow(b, 0, 1.0f);
    case 4: return wobble_body_lasting_strain(b, &number);
    case 5: return wobble_body_set_fracture(b, &fracture);
    case 6: return wobble_body_fracture(b, &fracture, &flag);
    case 7: return wobble_body_paint_toughness(b, NULL, 0, 0);
    case 8: return wobble_body_cut_plane(b, &one, &one, &flag);
    case 9: return wobble_body_cut_blade(b, two, there, &flag);
    default: return -1;
    }
}

static void all_refuse(uint64_t world, uint64_t body, uint64_t shape, WobbleStatus wanted) {
    WobbleSkinSource source;
    WobbleShape s = {shape};
    uint32_t count;
    for (int i = 0; i < WORLD_CALLS; i++) {
        WobbleWorld w = {world};
        REFUSED(wanted, world == 0 ? "handle" : "", call_world(i, w));
    }
    for (int i = 0; i < BODY_CALLS; i++) {
        WobbleBody b = {body};
        REFUSED(wanted, "handle", call_body(i, b));
    }
    REFUSED(wanted, "handle", wobble_shape_skin_sources(s, &source, 1, &count));
}

int main(void) {
    WobbleWorld world = calm_world(), gone = calm_world();
    WobbleBody body = add_cube(world), stale = add_cube(world);
    WobbleShape released = cube();
    OK(wobble_body_destroy(stale));
    OK(wobble_world_destroy(gone));
    OK(wobble_shape_release(released));
    all_refuse(0, 0, 0, WOBBLE_STATUS_NULL_HANDLE);
    all_refuse(body.bits, world.bits, world.bits, WOBBLE_STATUS_INVALID_HANDLE);
    all_refuse(gone.bits, stale.bits, released.bits, WOBBLE_STATUS_STALE_HANDLE);
    OK(wobble_world_destroy(world));
    return 0;
}
