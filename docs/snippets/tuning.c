/* The tuning guide's dials. */
#include "snippet.h"

/* How low it is pressed when it lands. */
static float when_landing(WobbleBody body, WobbleWorld world) {
    WobbleVec3 above = {0.0f, 1.0f, 0.0f};
    check(wobble_body_reset(body));
    check(wobble_body_teleport(body, &above, NULL));
    check(wobble_body_set_velocity(body, 0.0f, 0.0f, 0.0f));
    float lowest = tall(body);
    for (int frame = 0; frame < 90; frame++) {
        run(world, 1);
        lowest = tall(body) < lowest ? tall(body) : lowest;
    }
    return lowest;
}

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    WobbleBody body = box(world, 1.0f, 0.5f);

    /* ANCHOR: preset */
    check(wobble_body_set_preset(body, "jelly")); /* jelly, rubber, flesh, foam, gummy, water balloon */
    /* ANCHOR_END: preset */
    float jelly = when_landing(body, world);

    /* ANCHOR: material */
    WobbleMaterial material;
    check(wobble_material_init(&material, sizeof material));
    check(wobble_body_material(body, &material)); /* begin with what is there, here the jelly */
    material.stiffness = 25.0f;                   /* Hz: firmer */
    material.damping = 12.0f;                     /* 1/s: quivers for a shorter time */
    check(wobble_body_set_material(body, &material));
    /* ANCHOR_END: material */
    float firm = when_landing(body, world);
    expect(firm > jelly, "a body of more hertz is pressed less");

    /* ANCHOR: weights */
    check(wobble_body_set_weighting(body, "gaussian_coarse", 0.0f, 0.0f)); /* firm */
    const float weights[] = {0.7f, 0.2f, 0.1f};                            /* or by hand, finest first */
    check(wobble_body_set_level_weights(body, weights, 3));
    /* ANCHOR_END: weights */

    /* ANCHOR: volume */
    material.volume_stiffness = 30.0f; /* squeezed, it bulges */
    material.pressure = 0.2f;          /* and it is blown up by a fifth */
    check(wobble_body_set_material(body, &material));
    /* ANCHOR_END: volume */
    float volume;
    run(world, 300);
    check(wobble_body_volume(body, &volume));
    expect(volume > 1.1f, "pressure blows a body up");
    printf("heights: jelly %.3f m, firmer %.3f m; volume %.2f\n", jelly, firm, volume);
    check(wobble_world_destroy(world));
    return 0;
}
