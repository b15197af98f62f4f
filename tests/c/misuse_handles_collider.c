/* Wrong handles for every function about colliders and contacts. */
#include "check.h"

static WobbleVec3 vector;
static WobbleQuat turn = {0, 0, 0, 1};

static WobbleStatus call_collider(int which, WobbleCollider c) {
    WobbleVec3 other;
    switch (which) {
    case 0: return wobble_collider_destroy(c);
    case 1: return wobble_collider_set_pose(c, &vector, &turn);
    case 2: return wobble_collider_move(c, &vector, &turn);
    case 3: return wobble_collider_pose(c, &vector, &turn);
    case 4: return wobble_collider_set_velocity(c, &vector, &vector);
    case 5: return wobble_collider_set_conveyor(c, 0, 0, 0);
    case 6: return wobble_collider_set_surface(c, 0.5f, 0, WOBBLE_COMBINE_AVERAGE);
    case 7: return wobble_collider_set_groups(c, 1, 1);
    case 8: return wobble_collider_set_enabled(c, 1);
    case 9: return wobble_collider_impulse(c, &vector, &other);
    default: return -1;
    }
}

static WobbleStatus call_world(int which, WobbleWorld w) {
    WobbleContact contact;
    uint32_t count;
    switch (which) {
    case 0: return wobble_world_contact_count(w, &count);
    case 1: return wobble_world_contacts(w, &contact, 1, &count);
    case 2: return wobble_world_set_contact_reporting(w, 0, 1);
    case 3: return wobble_world_set_bodies_meet(w, 1);
    case 4: return wobble_world_bodies_meet(w, &count);
    default: return -1;
    }
}

static WobbleStatus call_body(int which, WobbleBody b) {
    float parting;
    uint32_t itself, proxies;
    switch (which) {
    case 0: return wobble_body_set_surface(b, 0.5f, 0, WOBBLE_COMBINE_AVERAGE);
    case 1: return wobble_body_set_groups(b, 1, 1);
    case 2: return wobble_body_set_particle_radius(b, 0);
    case 3: return wobble_body_set_touch(b, 0.5f, 0, 0);
    case 4: return wobble_body_touch(b, &parting, &itself, &proxies);
    default: return -1;
    }
}

/* Bits that name nothing, given to all: null, of another kind, stale, and made up. */
static void all_refuse(uint64_t collider, uint64_t world, uint64_t body, WobbleStatus wanted) {
    for (int i = 0; i < 10; i++) {
        WobbleCollider c = {collider};
        REFUSED(wanted, "handle", call_collider(i, c));
    }
    for (int i = 0; i < 5; i++) {
        WobbleWorld w = {world};
        REFUSED(wanted, world == 0 ? "handle" : "", call_world(i, w));
    }
    for (int i = 0; i < 5; i++) {
        WobbleBody b = {body};
        REFUSED(wanted, "handle", call_body(i, b));
    }
}

int main(void) {
    WobbleWorld world = calm_world(), gone = calm_world();
    WobbleBody body = add_cube(world), stale_body = add_cube(world);
    WobbleCollider collider, stale;
    OK(wobble_collider_create(world, NULL, &collider));
    OK(wobble_collider_create(world, NULL, &stale));
    OK(wobble_collider_destroy(stale));
    OK(wobble_body_destroy(stale_body));
    OK(wobble_world_destroy(gone));
    all_refuse(0, 0, 0, WOBBLE_STATUS_NULL_HANDLE);
    all_refuse(world.bits, body.bits, collider.bits, WOBBLE_STATUS_INVALID_HANDLE);
    all_refuse(stale.bits, gone.bits, stale_body.bits, WOBBLE_STATUS_STALE_HANDLE);
    all_refuse(collider.bits + 1000, gone.bits, body.bits + 1000, WOBBLE_STATUS_STALE_HANDLE);
    OK(wobble_collider_destroy(collider));
    OK(wobble_world_destroy(world));
    return 0;
}
