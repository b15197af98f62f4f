/* Every function that makes, moves or holds a body, and what it does. Snapshots have save.c. */
#include "check.h"

static const float DT = 0.02f;

static void momentum_is(WobbleBody body, float x, float y, float z) {
    WobbleVec3 momentum;
    OK(wobble_body_momentum(body, &momentum));
    NEAR(momentum.x, x, 1e-4);
    NEAR(momentum.y, y, 1e-4);
    NEAR(momentum.z, z, 1e-4);
}

static void a_body_starts_as_its_definition_says(void) {
    WobbleWorld world = calm_world();
    WobbleShape shape = cube(), same;
    WobbleMaterial material, found;
    WobbleBodyDef def;
    WobbleBody body;
    WobbleVec3 corner, at;
    uint32_t count;
    OK(wobble_body_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.position.x == 0 && def.rotation.w == 1 && def.velocity.z == 0);
    CHECK(def.material == NULL);
    OK(wobble_material_init(&material, sizeof material));
    material.stiffness = 12;
    def.material = &material;
    def.position = vec3(1, 2, 3);
    def.velocity = vec3(4, 5, 6);
    /* A quarter turn about y: z becomes x, x becomes -z. Of length 2, which is as good. */
    def.rotation.x = def.rotation.z = 0;
    def.rotation.y = def.rotation.w = sqrtf(2);
    OK(wobble_body_create(world, shape, &def, &body));
    material.stiffness = 99;
    at = centre_of(body);
    NEAR(at.x, 1, 1e-5);
    NEAR(at.y, 2, 1e-5);
    NEAR(at.z, 3, 1e-5);
    corner = position_of(body, 0);
    NEAR(corner.x, 0.5, 1e-5);
    NEAR(corner.y, 1.5, 1e-5);
    NEAR(corner.z, 3.5, 1e-5);
    CHECK(velocity_of(body, 7).x == 4 && velocity_of(body, 7).y == 5 && velocity_of(body, 7).z == 6);
    found.struct_size = sizeof found;
    OK(wobble_body_material(body, &found));
    CHECK(found.stiffness == 12);
    OK(wobble_body_particle_count(body, &count));
    CHECK(count == COUNT);

    OK(wobble_shape_release(shape));
    OK(wobble_body_shape(body, &same));
    OK(wobble_shape_particle_count(same, &count));
    CHECK(count == COUNT);
    OK(wobble_shape_release(same));
    OK(wobble_world_step(world, DT));
    OK(wobble_body_destroy(body));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_reset(body));
    OK(wobble_world_destroy(world));
}

static void a_disabled_body_stays(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    uint32_t enabled = 9;
    OK(wobble_body_is_enabled(body, &enabled));
    CHECK(enabled == 1);
    OK(wobble_body_set_velocity(body, 1, 0, 0));
    OK(wobble_body_set_enabled(body, 0));
    OK(wobble_body_is_enabled(body, &enabled));
    CHECK(enabled == 0);
    OK(wobble_world_step(world, DT));
    NEAR(centre_of(body).x, 0, 1e-6);
    OK(wobble_body_set_enabled(body, 1));
    OK(wobble_world_step(world, DT));
    NEAR(centre_of(body).x, DT, 1e-5);
    OK(wobble_world_destroy(world));
}

static void teleport_and_reset_put_a_body_into_its_rest_shape(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 to = vec3(10, 20, 30);
    WobbleQuat upside_down = {1, 0, 0, 0};
    float error;
    OK(wobble_body_set_velocity(body, 1, 2, 3));
    OK(wobble_body_set_position_of(body, 0, -3, -3, -3));
    OK(wobble_body_shape_error(body, &error));
    CHECK(error > 1e-3f);
    OK(wobble_body_teleport(body, &to, &upside_down));
    OK(wobble_body_shape_error(body, &error));
    CHECK(error < 1e-5f);
    NEAR(position_of(body, 0).x, 9.5, 1e-5);
    NEAR(position_of(body, 0).y, 20.5, 1e-5);
    NEAR(position_of(body, 0).z, 30.5, 1e-5);
    momentum_is(body, 0, 0, 0);
    OK(wobble_body_teleport(body, NULL, NULL));
    NEAR(centre_of(body).z, 30, 1e-4);
    NEAR(position_of(body, 0).y, 19.5, 1e-4);

    OK(wobble_body_set_velocity(body, 1, 2, 3));
    OK(wobble_body_set_position_of(body, 0, 9, 19, 29));
    to = centre_of(body);
    OK(wobble_body_reset(body));
    NEAR(centre_of(body).x, to.x, 1e-4);
    NEAR(position_of(body, 0).x, to.x - 0.5, 1e-4);
    momentum_is(body, 0, 0, 0);
    OK(wobble_world_destroy(world));
}

static void forces_act_during_one_step(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    OK(wobble_body_apply_force(body, 1, 2, 3));
    momentum_is(body, 0, 0, 0);
    OK(wobble_world_step(world, DT));
    momentum_is(body, DT, 2 * DT, 3 * DT);
    OK(wobble_world_step(world, DT));
    momentum_is(body, DT, 2 * DT, 3 * DT);
    OK(wobble_body_apply_force_to(body, 3, -1, -2, -3));
    OK(wobble_world_step(world, DT));
    momentum_is(body, 0, 0, 0);
    OK(wobble_world_destroy(world));
}

static void impulses_act_at_once(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 corner = vec3(-0.5f, -0.5f, -0.5f), impulse = vec3(0, 1, 0), spin;
    OK(wobble_body_apply_impulse(body, 1, 2, 3));
    momentum_is(body, 1, 2, 3);
    NEAR(velocity_of(body, 5).z, 3, 1e-5);
    OK(wobble_body_apply_impulse_to(body, 5, -1, -2, -3));
    momentum_is(body, 0, 0, 0);
    NEAR(velocity_of(body, 5).z, 3 - 3 * COUNT, 1e-2);
    OK(wobble_body_set_velocity(body, 0, 0, 0));
    OK(wobble_body_apply_impulse_at(body, &corner, &impulse, 0.4f));
    momentum_is(body, 0, 1, 0);
    CHECK(velocity_of(body, 0).y > velocity_of(body, 1).y && velocity_of(body, COUNT - 1).y == 0);
    OK(wobble_body_angular_momentum(body, &spin));
    CHECK(spin.x > 0.1f && spin.z < -0.1f);
    OK(wobble_body_set_velocity(body, 0, 0, 0));
    OK(wobble_body_apply_torque_impulse(body, 0, 0.2f, 0));
    OK(wobble_body_angular_momentum(body, &spin));
    NEAR(spin.y, 0.2f, 1e-5);
    momentum_is(body, 0, 0, 0);
    OK(wobble_world_destroy(world));
}

static void a_pinned_particle_goes_where_the_host_moves_it(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 start = position_of(body, 0);
    uint32_t pinned = 9, pins[3] = {99, 99, 99};
    OK(wobble_world_set_gravity(world, 0, -10, 0));
    OK(wobble_body_is_pinned(body, 0, &pinned));
    CHECK(pinned == 0);
    OK(wobble_body_pin(body, 0));
    OK(wobble_body_is_pinned(body, 0, &pinned));
    CHECK(pinned == 1);
    OK(wobble_body_pin(body, 7));
    OK(wobble_body_pin_count(body, &pinned));
    CHECK(pinned == 2);
    OK(wobble_body_pins(body, pins, 3, &pinned));
    CHECK(pinned == 2 && pins[0] == 0 && pins[1] == 7 && pins[2] == 99);
    OK(wobble_body_unpin(body, 7));
    for (int i = 0; i < 20; i++) {
        OK(wobble_world_step(world, DT));
    }
    CHECK(position_of(body, 0).x == start.x && position_of(body, 0).y == start.y);
    OK(wobble_body_move_pin(body, 0, -0.4f, -0.3f, -0.6f));
    OK(wobble_world_step(world, DT));
    NEAR(position_of(body, 0).x, -0.4, 1e-6);
    NEAR(position_of(body, 0).y, -0.3, 1e-6);
    /* The body follows its pin at 12 m/s: let it come to rest before it is let go. */
    for (int i = 0; i < 240; i++) {
        OK(wobble_world_step(world, DT));
    }
    OK(wobble_body_unpin(body, 0));
    OK(wobble_body_is_pinned(body, 0, &pinned));
    CHECK(pinned == 0);
    for (int i = 0; i < 20; i++) {
        OK(wobble_world_step(world, DT));
    }
    CHECK(position_of(body, 0).y < -0.6f);
    OK(wobble_world_destroy(world));
}

static void single_particles_can_be_placed_and_sped_up(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 other = position_of(body, 8);
    OK(wobble_body_set_position_of(body, 9, 1, 2, 3));
    OK(wobble_body_set_velocity_of(body, 9, 4, 5, 6));
    CHECK(position_of(body, 9).x == 1 && position_of(body, 9).y == 2 && position_of(body, 9).z == 3);
    CHECK(velocity_of(body, 9).x == 4 && velocity_of(body, 9).y == 5 && velocity_of(body, 9).z == 6);
    CHECK(position_of(body, 8).x == other.x && velocity_of(body, 8).x == 0);
    OK(wobble_world_destroy(world));
}

static void all_particles_can_be_placed_and_sped_up(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    float vertices[COUNT][8];
    for (int i = 0; i < COUNT; i++) {
        for (int field = 0; field < 8; field++) {
            vertices[i][field] = (float)(10 * i + field);
        }
    }
    OK(wobble_body_set_positions(body, vertices[0], COUNT, sizeof vertices[0]));
    OK(wobble_body_set_velocities(body, &vertices[0][4], COUNT, sizeof vertices[0]));
    for (int i = 0; i < COUNT; i++) {
        WobbleVec3 x = position_of(body, (uint32_t)i), v = velocity_of(body, (uint32_t)i);
        CHECK(x.x == 10.0f * (float)i && x.y == x.x + 1 && x.z == x.x + 2);
        CHECK(v.x == x.x + 4 && v.y == x.x + 5 && v.z == x.x + 6);
    }
    OK(wobble_body_set_positions(body, cube_points(), COUNT, 0));
    CHECK(position_of(body, 1).x == cube_points()[3]);
    OK(wobble_world_destroy(world));
}

int main(void) {
    a_body_starts_as_its_definition_says();
    a_disabled_body_stays();
    teleport_and_reset_put_a_body_into_its_rest_shape();
    forces_act_during_one_step();
    impulses_act_at_once();
    a_pinned_particle_goes_where_the_host_moves_it();
    single_particles_can_be_placed_and_sped_up();
    all_particles_can_be_placed_and_sped_up();
    return 0;
}
