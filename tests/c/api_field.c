/* Every function about force fields and explosions, and what it does. */
#include "check.h"

static WobbleFieldDef standard(uint32_t kind) {
    WobbleFieldDef def;
    OK(wobble_field_def_init(&def, sizeof def));
    CHECK(def.kind == WOBBLE_FIELD_WIND && def.drag == 1 && def.mask == UINT32_MAX && def.body.bits == 0);
    def.kind = kind;
    return def;
}

static void step(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

static void wind_takes_bodies_along_all_or_one(void) {
    WobbleWorld world = calm_world();
    WobbleBody first = add_cube(world), second = add_cube(world);
    WobbleFieldDef def = standard(WOBBLE_FIELD_WIND), found;
    WobbleField wind, all[2];
    uint32_t count = 0;
    /* Both are in one place. */
    OK(wobble_world_set_bodies_meet(world, 0));
    def.velocity = vec3(2, 0, 0);
    def.drag = 5;
    def.body = first;
    OK(wobble_field_create(world, &def, &wind));
    step(world, 120);
    NEAR(velocity_of(first, 0).x, 2, 0.05);
    NEAR(velocity_of(second, 0).x, 0, 1e-4);
    found = standard(WOBBLE_FIELD_BUOYANCY);
    OK(wobble_field_definition(wind, &found));
    CHECK(found.kind == WOBBLE_FIELD_WIND && found.velocity.x == 2 && found.drag == 5 && found.body.bits == first.bits);
    found.body.bits = 0;
    found.velocity.x = -1;
    OK(wobble_field_set_definition(wind, &found));
    step(world, 120);
    NEAR(velocity_of(first, 0).x, -1, 0.05);
    NEAR(velocity_of(second, 0).x, -1, 0.05);
    OK(wobble_world_field_count(world, &count));
    CHECK(count == 1);
    OK(wobble_world_fields(world, all, 2, &count));
    CHECK(count == 1 && all[0].bits == wind.bits);
    OK(wobble_field_destroy(wind));
    OK(wobble_world_field_count(world, &count));
    CHECK(count == 0);
    /* A field for one body ends with it. */
    OK(wobble_field_create(world, &def, &wind));
    OK(wobble_body_destroy(first));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "field", wobble_field_destroy(wind));
    OK(wobble_world_destroy(world));
}

static void an_attractor_pulls_and_a_fluid_lifts(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleFieldDef def = standard(WOBBLE_FIELD_ATTRACTOR), found = def;
    WobbleField field;
    def.centre = vec3(3, 0, 0);
    OK(wobble_field_create(world, &def, &field));
    step(world, 10);
    CHECK(velocity_of(body, 0).x > 0.5f);
    OK(wobble_field_definition(field, &found));
    CHECK(found.kind == WOBBLE_FIELD_ATTRACTOR && found.centre.x == 3 && found.strength == 10 && found.radius == 10);
    OK(wobble_field_destroy(field));
    OK(wobble_body_set_velocity(body, 0, 0, 0));
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    def = standard(WOBBLE_FIELD_BUOYANCY);
    def.normal = vec3(0, 2, 0);
    def.offset = 0.5f;
    def.drag = 4;
    OK(wobble_field_create(world, &def, &field));
    step(world, 600);
    /* Twice as dense as the body: half of it is below the surface. */
    NEAR(centre_of(body).y, 0.5, 0.1);
    OK(wobble_field_definition(field, &found));
    CHECK(found.kind == WOBBLE_FIELD_BUOYANCY && found.normal.y == 1 && found.offset == 0.5f && found.density_ratio == 2);
    OK(wobble_world_destroy(world));
}

static void an_explosion_pushes_away_whom_it_reaches(void) {
    WobbleWorld world = calm_world();
    WobbleBody near_body = add_cube(world), far_body = add_cube(world), other = add_cube(world);
    WobbleVec3 away = vec3(50, 0, 0), centre = vec3(-2, 0, 0);
    OK(wobble_body_teleport(far_body, &away, NULL));
    OK(wobble_body_set_groups(other, 2, UINT32_MAX));
    OK(wobble_world_explode(world, &centre, 4, 10, 1));
    CHECK(velocity_of(near_body, COUNT / 2).x > 4 && velocity_of(near_body, COUNT / 2).x < 6);
    CHECK(velocity_of(far_body, 0).x == 0 && velocity_of(other, 0).x == 0);
    OK(wobble_world_destroy(world));
}

int main(void) {
    wind_takes_bodies_along_all_or_one();
    an_attractor_pulls_and_a_fluid_lifts();
    an_explosion_pushes_away_whom_it_reaches();
    return 0;
}
