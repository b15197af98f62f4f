/* Every function about lasting change, and what it does. */
#include "check.h"

static void step(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

static void stretch(WobbleBody body, float by) {
    static float positions[COUNT][3];
    OK(wobble_body_positions(body, positions[0], 0, COUNT));
    for (int i = 0; i < COUNT; i++) {
        positions[i][0] *= by;
    }
    OK(wobble_body_set_positions(body, positions[0], COUNT, 0));
}

/* A body that yields keeps some of its stretch until it is reset. */
static void deformation_lasts(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobblePlasticity rule, found;
    uint32_t enabled;
    float strain, flow;
    OK(wobble_plasticity_init(&rule, sizeof rule));
    CHECK(rule.struct_size == sizeof rule && rule.limit == 1.0f);
    CHECK(rule.recluster == 0.0f && rule.fade == 30 && rule.most_new_clusters == 8);
    rule.yield_strain = 0.05f;
    rule.recluster = 1.4f;
    found.struct_size = sizeof found;
    OK(wobble_body_plasticity(body, &found, &enabled));
    CHECK(enabled == 0 && found.flow == 100.0f);
    OK(wobble_body_set_plasticity(body, &rule));
    OK(wobble_body_plasticity(body, &found, &enabled));
    CHECK(enabled == 1 && found.yield_strain == 0.05f && found.recluster == 1.4f);
    OK(wobble_body_set_level_flow(body, 1, 0.5f));
    OK(wobble_body_level_flow(body, 1, &flow));
    CHECK(flow == 0.5f);
    OK(wobble_body_lasting_strain(body, &strain));
    CHECK(strain == 0.0f);
    stretch(body, 1.5f);
    step(world, 30);
    OK(wobble_body_lasting_strain(body, &strain));
    CHECK(strain > 0.01f);
    OK(wobble_body_set_plasticity(body, NULL));
    OK(wobble_body_lasting_strain(body, &strain));
    CHECK(strain > 0.01f);
    OK(wobble_body_reset(body));
    OK(wobble_body_lasting_strain(body, &strain));
    CHECK(strain == 0.0f);
    OK(wobble_world_destroy(world));
}

/* A cut gives two bodies, which are told with where their particles went. */
static void a_cut_parts_a_body(void) {
    static const WobbleVec3 point = {0.1f, 0.0f, 0.0f}, normal = {1.0f, 0.0f, 0.0f};
    static const WobbleVec3 from[2] = {{-0.1f, 1.0f, -2.0f}, {-0.1f, 1.0f, 2.0f}};
    static const WobbleVec3 to[2] = {{-0.1f, -1.0f, -2.0f}, {-0.1f, -1.0f, 2.0f}};
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleBreak breaks[4];
    uint32_t bodies, count, particles, names[COUNT], seen = 0;
    OK(wobble_body_cut_plane(body, &point, &normal, &bodies));
    CHECK(bodies == 2);
    OK(wobble_world_break_count(world, &count, &particles));
    CHECK(count == 2 && particles == COUNT);
    OK(wobble_world_breaks(world, breaks, 4, &count));
    OK(wobble_world_broken_particles(world, names, COUNT, &particles));
    CHECK(count == 2 && breaks[0].piece.bits == body.bits && breaks[1].body.bits == body.bits);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own;
        OK(wobble_body_particle_count(breaks[i].piece, &own));
        CHECK(own == breaks[i].particle_count && breaks[i].first_particle == seen && breaks[i].is_debris == 0);
        seen += own;
    }
    CHECK(seen == COUNT && particles == COUNT);
    OK(wobble_body_cut_blade(body, from, to, &bodies));
    CHECK(bodies == 2);
    step(world, 10);
    OK(wobble_world_break_count(world, &count, &particles));
    CHECK(count == 0 && particles == 0);
    OK(wobble_body_reset(body));
    OK(wobble_body_particle_count(body, &count));
    CHECK(count == COUNT);
    OK(wobble_world_body_count(world, &count));
    CHECK(count == 1);
    OK(wobble_world_destroy(world));
}

/* A shape that is painted tough makes bodies that hold where others break. */
static void what_is_painted_on_a_shape_makes_its_bodies_tough(void) {
    for (int painted = 0; painted < 2; painted++) {
        WobbleWorld world = calm_world();
        WobbleParticlesDef def;
        WobbleFracture rule;
        WobbleShape shape, now;
        WobbleBody body;
        uint64_t before, after;
        float tough[COUNT];
        for (int i = 0; i < COUNT; i++) {
            tough[i] = 100.0f;
        }
        OK(wobble_particles_def_init(&def, sizeof def));
        CHECK(def.toughness == NULL && def.toughness_stride == 0);
        def.points = cube_points();
        def.count = COUNT;
        def.toughness = painted ? tough : NULL;
        OK(wobble_shape_create_from_particles(&def, NULL, NULL, &shape));
        OK(wobble_body_create(world, shape, NULL, &body));
        OK(wobble_fracture_init(&rule, sizeof rule));
        rule.toughness = 0.2f;
        OK(wobble_body_set_fracture(body, &rule));
        stretch(body, 1.6f);
        step(world, 1);
        OK(wobble_body_shape(body, &now));
        OK(wobble_shape_fingerprint(shape, &before));
        OK(wobble_shape_fingerprint(now, &after));
        CHECK((before == after) == painted);
        OK(wobble_shape_release(now));
        OK(wobble_shape_release(shape));
        OK(wobble_world_destroy(world));
    }
}

/* A body that is stretched too far breaks; painted tough it does not. */
static void a_stretched_body_breaks(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleFracture rule, found;
    uint32_t enabled, most;
    uint64_t now, before;
    float tough[COUNT];
    WobbleShape shape;
    OK(wobble_fracture_init(&rule, sizeof rule));
    CHECK(rule.smallest == 4);
    rule.toughness = 0.2f;
    found.struct_size = sizeof found;
    OK(wobble_body_fracture(body, &found, &enabled));
    CHECK(enabled == 0);
    OK(wobble_body_set_fracture(body, &rule));
    OK(wobble_body_fracture(body, &found, &enabled));
    CHECK(enabled == 1 && found.toughness == 0.2f);
    OK(wobble_world_set_most_fractures(world, 4));
    OK(wobble_world_most_fractures(world, &most));
    CHECK(most == 4);
    OK(wobble_body_shape(body, &shape));
    OK(wobble_shape_fingerprint(shape, &before));
    OK(wobble_shape_release(shape));
    for (int i = 0; i < COUNT; i++) {
        tough[i] = 100.0f;
    }
    OK(wobble_body_paint_toughness(body, tough, COUNT, 0));
    stretch(body, 1.6f);
    step(world, 1);
    OK(wobble_body_shape(body, &shape));
    OK(wobble_shape_fingerprint(shape, &now));
    OK(wobble_shape_release(shape));
    CHECK(now == before);
    OK(wobble_body_paint_toughness(body, NULL, 0, 0));
    OK(wobble_body_reset(body));
    stretch(body, 1.6f);
    step(world, 1);
    OK(wobble_body_shape(body, &shape));
    OK(wobble_shape_fingerprint(shape, &now));
    OK(wobble_shape_release(shape));
    CHECK(now != before);
    OK(wobble_body_set_fracture(body, NULL));
    OK(wobble_world_destroy(world));
}

/* The mesh of a piece tells where its vertices come from; a shape that is no piece tells nothing. */
static void pieces_know_where_their_vertices_come_from(void) {
    WobbleShape whole = cube();
    WobbleSkinSource source;
    uint32_t count = 7;
    OK(wobble_shape_skin_sources(whole, &source, 1, &count));
    CHECK(count == 0);
    OK(wobble_shape_release(whole));
}

int main(void) {
    deformation_lasts();
    a_cut_parts_a_body();
    what_is_painted_on_a_shape_makes_its_bodies_tough();
    a_stretched_body_breaks();
    pieces_know_where_their_vertices_come_from();
    return 0;
}
