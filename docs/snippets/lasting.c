/* Dents, cuts and cracks of the book's chapter on lasting change. */
#include "snippet.h"

enum { MOST = 16 };

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    WobbleBody body = box(world, 0.6f, 0.5f);
    WobbleMaterial soft;
    check(wobble_material_init(&soft, sizeof soft));
    soft.stiffness = 15.0f;
    check(wobble_body_set_material(body, &soft));

    /* ANCHOR: dents */
    WobblePlasticity dents;
    check(wobble_plasticity_init(&dents, sizeof dents));
    dents.yield_strain = 0.02f; /* a deformation of two percent is the most that springs back */
    dents.flow = 100.0f;        /* of what is beyond, this share becomes lasting in a second: at once */
    dents.limit = 0.5f;         /* and no part changes by more than half */
    check(wobble_body_set_plasticity(body, &dents));
    /* ANCHOR_END: dents */
    float strain;
    check(wobble_body_set_velocity(body, 0.0f, -12.0f, 0.0f));
    run(world, 240);
    check(wobble_body_lasting_strain(body, &strain));
    expect(strain > 0.05f, "a hard landing leaves a dent");

    /* ANCHOR: cut */
    WobbleVec3 point, normal = {1.0f, 0.0f, 0.0f};
    uint32_t bodies;
    check(wobble_body_centre_of_mass(body, &point));
    check(wobble_body_cut_plane(body, &point, &normal, &bodies)); /* the larger half keeps the handle */
    /* ANCHOR_END: cut */
    expect(bodies == 2, "a cut through the middle makes two of one");

    /* ANCHOR: mend */
    check(wobble_body_reset(body)); /* undented, unbroken; the other half is gone */
    /* ANCHOR_END: mend */
    check(wobble_world_body_count(world, &bodies));
    expect(bodies == 1, "a reset mends");

    /* ANCHOR: fracture */
    WobbleFracture brittle;
    check(wobble_body_set_plasticity(body, NULL)); /* with it, too, it would be ductile */
    check(wobble_fracture_init(&brittle, sizeof brittle));
    brittle.toughness = 0.1f; /* breaks where it is stretched to 1.1 times its length */
    check(wobble_body_set_fracture(body, &brittle));
    /* ANCHOR_END: fracture */
    WobbleVec3 above = {0.0f, 3.0f, 0.0f};
    check(wobble_body_teleport(body, &above, NULL));
    check(wobble_body_apply_impulse_at(body, &above, &(WobbleVec3){0.0f, 9000.0f, 0.0f}, 0.3f));
    uint32_t broken = 0;
    for (int frame = 0; frame < 60; frame++) {
        /* ANCHOR: breaks */
        WobbleBreak pieces[MOST];
        uint32_t count, particles;
        check(wobble_world_step(world, 1.0f / 60.0f));
        check(wobble_world_break_count(world, &count, &particles));
        if (count > MOST) return 1; /* or a larger array */
        check(wobble_world_breaks(world, pieces, MOST, &count));
        for (uint32_t i = 0; i < count; i++)
            printf("body %llx is a piece of %u particles\n", (unsigned long long)pieces[i].piece.bits,
                   pieces[i].particle_count);
        /* ANCHOR_END: breaks */
        broken += count;
    }
    expect(broken > 0, "a blow breaks a brittle body");
    check(wobble_world_destroy(world));
    return 0;
}
