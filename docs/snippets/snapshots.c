/* Going back in time, of the book's chapter on determinism. */
#include "snippet.h"

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    WobbleBody body = box(world, 2.0f, 0.5f);
    run(world, 30);

    /* ANCHOR: save */
    uint32_t size;
    check(wobble_world_snapshot_size(world, &size));
    uint8_t *bytes = malloc(size);
    if (!bytes) return 1;
    check(wobble_world_snapshot(world, bytes, size, &size));
    /* ANCHOR_END: save */
    run(world, 60);

    /* ANCHOR: hash */
    uint64_t then, again;
    check(wobble_world_state_hash(world, &then)); /* equal on every x86-64 machine that did the same */
    /* ANCHOR_END: hash */

    check(wobble_body_apply_impulse(body, 500.0f, 0.0f, 0.0f));
    run(world, 10);
    check(wobble_world_state_hash(world, &again));
    expect(then != again, "a push makes another state");

    /* ANCHOR: restore */
    check(wobble_world_restore(world, bytes, size, NULL, 0)); /* the shapes of bodies that are there are known */
    /* ANCHOR_END: restore */
    check(wobble_world_set_threads(world, 1));
    run(world, 60);
    check(wobble_world_state_hash(world, &again));
    expect(then == again, "the same steps from the same state give the same bits, on any number of threads");
    free(bytes);
    check(wobble_world_destroy(world));
    return 0;
}
