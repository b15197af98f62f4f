/* Numbers that cannot be, for every function about lasting change: refused, nothing changed. */
#include "check.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

static void rules(WobbleBody body) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2e6f};
    WobblePlasticity plasticity, found;
    WobbleFracture fracture;
    WobbleMaterial material;
    uint32_t enabled;
    for (int i = 0; i < 4; i++) {
        float *fields[] = {&plasticity.yield_strain, &plasticity.flow, &plasticity.hardening, &plasticity.limit,
                           &plasticity.recovery, &plasticity.recluster};
        static const char *names[] = {"yield_strain", "flow", "hardening", "limit", "recovery", "recluster"};
        for (int k = 0; k < 6; k++) {
            OK(wobble_plasticity_init(&plasticity, sizeof plasticity));
            *fields[k] = bad[i];
            INVALID(names[k], wobble_body_set_plasticity(body, &plasticity));
        }
        OK(wobble_fracture_init(&fracture, sizeof fracture));
        fracture.toughness = bad[i];
        INVALID("toughness", wobble_body_set_fracture(body, &fracture));
        INVALID("flow", wobble_body_set_level_flow(body, 0, bad[i]));
    }
    OK(wobble_fracture_init(&fracture, sizeof fracture));
    fracture.smallest = 0;
    INVALID("smallest", wobble_body_set_fracture(body, &fracture));
    fracture.struct_size = 3;
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "struct_size", wobble_body_set_fracture(body, &fracture));
    OK(wobble_plasticity_init(&plasticity, sizeof plasticity));
    plasticity.recluster = 1;
    INVALID("recluster", wobble_body_set_plasticity(body, &plasticity));
    plasticity.recluster = 1.5f;
    plasticity.fade = 0;
    INVALID("fade", wobble_body_set_plasticity(body, &plasticity));
    plasticity.fade = 30;
    plasticity.most_new_clusters = 1001;
    INVALID("most_new_clusters", wobble_body_set_plasticity(body, &plasticity));
    plasticity.struct_size = 3;
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "struct_size", wobble_body_set_plasticity(body, &plasticity));
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "size", wobble_plasticity_init(&plasticity, 3));
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "size", wobble_fracture_init(&fracture, 3));
    found.struct_size = sizeof found;
    OK(wobble_body_plasticity(body, &found, &enabled));
    CHECK(enabled == 0);
    OK(wobble_material_init(&material, sizeof material));
    material.goals = WOBBLE_GOALS_QUADRATIC;
    OK(wobble_body_set_material(body, &material));
    OK(wobble_plasticity_init(&plasticity, sizeof plasticity));
    INVALID("quadratic", wobble_body_set_plasticity(body, &plasticity));
}

int main(void) {
    static const WobbleVec3 zero = {0.0f, 0.0f, 0.0f}, nowhere = {NAN, 0.0f, 0.0f}, up = {0.0f, 1.0f, 0.0f};
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 edge[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    WobbleBreak found;
    WobbleShape shape = cube();
    float map[COUNT] = {-1.0f};
    uint32_t number;
    rules(body);
    INVALID("flow", wobble_body_set_level_flow(body, 0, 1.5f));
    INVALID("level", wobble_body_set_level_flow(body, 99, 1.0f));
    INVALID("normal", wobble_body_cut_plane(body, &zero, &zero, &number));
    INVALID("point", wobble_body_cut_plane(body, &nowhere, &up, &number));
    INVALID("blade", wobble_body_cut_blade(body, edge, edge, &number));
    INVALID("toughness", wobble_body_paint_toughness(body, map, COUNT, 0));
    INVALID("map", wobble_body_paint_toughness(body, map, 2, 0));
    INVALID("stride", wobble_body_paint_toughness(body, map, COUNT, 3));
    INVALID("most_fractures", wobble_world_set_most_fractures(world, 1001));
    OK(wobble_body_cut_plane(body, &edge[0], &up, &number));
    CHECK(number == 2);
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "breaks", wobble_world_breaks(world, &found, 1, &number));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "particles", wobble_world_broken_particles(world, &number, 1, &number));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
    return 0;
}
