/* Times and steps in the background, of the book's chapter on performance. */
#include "snippet.h"

static void draw(WobbleBody body) {
    WobbleVec3 centre;
    check(wobble_body_centre_of_mass(body, &centre));
}

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    WobbleBody body = box(world, 1.0f, 0.5f);

    for (int frame = 0; frame < 60; frame++) {
        /* ANCHOR: background */
        check(wobble_world_step_begin(world, 1.0f / 60.0f));
        draw(body); /* sees the state before the step; what would change the world is refused as busy */
        check(wobble_world_step_wait(world));
        /* ANCHOR_END: background */
    }

    /* ANCHOR: profile */
    WobbleProfile profile = {0};
    profile.struct_size = sizeof profile;
    check(wobble_world_profile(world, &profile));
    printf("match %.3f, integrate %.3f, contacts %.3f, all %.3f ms\n", 1e3f * profile.matching,
           1e3f * profile.integrate, 1e3f * profile.contacts, 1e3f * profile.total);
    /* ANCHOR_END: profile */
    expect(profile.total > 0.0f && profile.substeps == 4, "a step of four substeps takes time");
    check(wobble_world_destroy(world));
    return 0;
}
