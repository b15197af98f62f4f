/* Null and misaligned pointers for every function about lasting change. */
#include "check.h"

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

int main(void) {
    static const WobbleVec3 one = {1.0f, 1.0f, 1.0f}, two[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    static const WobbleVec3 x = {1.0f, 0.0f, 0.0f}, middle = {0.1f, 0.0f, 0.0f};
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleShape shape = cube();
    WobblePlasticity plasticity;
    WobbleFracture fracture;
    WobbleBreak found;
    WobbleSkinSource source;
    uint32_t number;
    static uint64_t room[8];
    void *one_off = (unsigned char *)room + 1;
    NULL_POINTER("plasticity", wobble_plasticity_init(NULL, sizeof plasticity));
    NULL_POINTER("fracture", wobble_fracture_init(NULL, sizeof fracture));
    OK(wobble_plasticity_init(&plasticity, sizeof plasticity));
    OK(wobble_fracture_init(&fracture, sizeof fracture));
    OK(wobble_body_set_plasticity(body, NULL));
    OK(wobble_body_set_fracture(body, NULL));
    INVALID("plasticity", wobble_body_set_plasticity(body, one_off));
    INVALID("fracture", wobble_body_set_fracture(body, one_off));
    NULL_POINTER("out_plasticity", wobble_body_plasticity(body, NULL, &number));
    NULL_POINTER("out_enabled", wobble_body_plasticity(body, &plasticity, NULL));
    NULL_POINTER("out_fracture", wobble_body_fracture(body, NULL, &number));
    NULL_POINTER("out_enabled", wobble_body_fracture(body, &fracture, NULL));
    NULL_POINTER("out_multiplier", wobble_body_level_flow(body, 0, NULL));
    NULL_POINTER("out_strain", wobble_body_lasting_strain(body, NULL));
    NULL_POINTER("map", wobble_body_paint_toughness(body, NULL, COUNT, 0));
    INVALID("map", wobble_body_paint_toughness(body, one_off, COUNT, 0));
    NULL_POINTER("point", wobble_body_cut_plane(body, NULL, &one, &number));
    NULL_POINTER("normal", wobble_body_cut_plane(body, &one, NULL, &number));
    NULL_POINTER("out_bodies", wobble_body_cut_plane(body, &one, &one, NULL));
    NULL_POINTER("from", wobble_body_cut_blade(body, NULL, two, &number));
    NULL_POINTER("to", wobble_body_cut_blade(body, two, NULL, &number));
    NULL_POINTER("out_bodies", wobble_body_cut_blade(body, two, two, NULL));
    NULL_POINTER("out_count", wobble_world_breaks(world, &found, 1, NULL));
    NULL_POINTER("out_count", wobble_world_break_count(world, NULL, &number));
    NULL_POINTER("out_particles", wobble_world_break_count(world, &number, NULL));
    NULL_POINTER("out_count", wobble_world_broken_particles(world, &number, 1, NULL));
    NULL_POINTER("out_most", wobble_world_most_fractures(world, NULL));
    NULL_POINTER("out_count", wobble_shape_skin_sources(shape, &source, 1, NULL));
    OK(wobble_world_breaks(world, NULL, 0, &number));
    OK(wobble_body_cut_plane(body, &middle, &x, &number));
    NULL_POINTER("out_breaks", wobble_world_breaks(world, NULL, 4, &number));
    NULL_POINTER("out_particles", wobble_world_broken_particles(world, NULL, COUNT, &number));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
    return 0;
}
