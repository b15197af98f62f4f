/* Every function that tunes a body's material and levels or reads its state, and what it does. */
#include "check.h"

static const float DT = 0.02f;

static float sum_of_weights(WobbleBody body) {
    float sum = 0, weight;
    uint32_t levels;
    OK(wobble_body_level_count(body, &levels));
    for (uint32_t level = 0; level < levels; level++) {
        OK(wobble_body_level_weight(body, level, &weight));
        CHECK(weight >= 0 && weight <= 1);
        sum += weight;
    }
    return sum;
}

static float weight_of(WobbleBody body, uint32_t level) {
    float weight = -1;
    OK(wobble_body_level_weight(body, level, &weight));
    return weight;
}

static void a_body_takes_a_material_in_all_its_fields(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleMaterial material, found;
    OK(wobble_material_init(&material, sizeof material));
    material.stiffness_kind = WOBBLE_STIFFNESS_PER_STEP;
    material.stiffness = 0.75f;
    material.damping_kind = WOBBLE_DAMPING_PER_STEP;
    material.damping = 0.25f;
    material.damping_form = WOBBLE_DAMPING_FORM_PAPER;
    material.rotation = WOBBLE_ROTATION_STRETCH;
    material.goals = WOBBLE_GOALS_QUADRATIC;
    material.goals_beta = 0.5f;
    material.strain_rounds = 3;
    material.strain_gamma = 0.2f;
    material.strain_omega = 0.9f;
    material.gravity_scale = -2;
    OK(wobble_body_set_material(body, &material));
    mark(&found, sizeof found);
    found.struct_size = sizeof found;
    OK(wobble_body_material(body, &found));
    CHECK(memcmp(&found, &material, sizeof found) == 0);
    OK(wobble_world_set_gravity(world, 0, -1, 0));
    OK(wobble_world_step(world, DT));
    CHECK(centre_of(body).y > 0);

    OK(wobble_body_set_preset(body, "rubber"));
    OK(wobble_material_named("rubber", &material));
    OK(wobble_body_material(body, &found));
    CHECK(memcmp(&found, &material, sizeof found) == 0);
    NEAR(sum_of_weights(body), 1, 1e-5);
    OK(wobble_world_destroy(world));
}

static void level_weights_sum_to_one_however_they_are_set(void) {
    static const char *const schemes[] = {"uniform",         "linear_fine",     "linear_coarse",    "gaussian_fine",
                                          "gaussian_coarse", "polynomial_fine", "polynomial_coarse"};
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    uint32_t levels;
    float weights[16];
    OK(wobble_body_level_count(body, &levels));
    CHECK(levels >= 2 && levels <= 16);
    for (uint32_t level = 0; level < levels; level++) {
        weights[level] = (float)(level + 1);
    }
    OK(wobble_body_set_level_weights(body, weights, levels));
    NEAR(weight_of(body, 1), 2 * weight_of(body, 0), 1e-6);
    NEAR(sum_of_weights(body), 1, 1e-5);
    OK(wobble_body_set_level_weight(body, 0, 0.875f));
    NEAR(weight_of(body, 0), 0.875, 1e-6);
    NEAR(sum_of_weights(body), 1, 1e-5);
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        OK(wobble_body_set_weighting(body, schemes[i], 1, 2));
        NEAR(sum_of_weights(body), 1, 1e-5);
        if (strstr(schemes[i], "_fine") != NULL) {
            CHECK(weight_of(body, 0) > weight_of(body, levels - 1));
        } else if (strstr(schemes[i], "_coarse") != NULL) {
            CHECK(weight_of(body, 0) < weight_of(body, levels - 1));
        } else {
            NEAR(weight_of(body, 0), weight_of(body, levels - 1), 1e-6);
        }
    }
    OK(wobble_world_destroy(world));
}

static void stiffness_and_damping_are_scaled_level_by_level(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world), plain = add_cube(world);
    float multiplier = 0;
    /* Both are in one place. */
    OK(wobble_world_set_bodies_meet(world, 0));
    OK(wobble_body_level_stiffness(body, 1, &multiplier));
    CHECK(multiplier == 1);
    OK(wobble_body_set_level_stiffness(body, 1, 0.5f));
    OK(wobble_body_level_stiffness(body, 1, &multiplier));
    CHECK(multiplier == 0.5f);
    OK(wobble_body_level_damping(body, 0, &multiplier));
    CHECK(multiplier == 1);
    OK(wobble_body_set_level_damping(body, 0, 2));
    OK(wobble_body_level_damping(body, 0, &multiplier));
    CHECK(multiplier == 2);
    OK(wobble_body_set_position_of(body, 0, -1, -1, -1));
    OK(wobble_body_set_position_of(plain, 0, -1, -1, -1));
    OK(wobble_world_step(world, DT));
    CHECK(position_of(body, 0).x != position_of(plain, 0).x);
    OK(wobble_world_destroy(world));
}

static void positions_come_in_the_order_of_the_points(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    float vertices[COUNT + 1][6], before[COUNT][3];
    mark(vertices, sizeof vertices);
    OK(wobble_body_positions(body, &vertices[0][1], sizeof vertices[0], COUNT));
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            NEAR(vertices[i][1 + axis], cube_points()[3 * i + axis], 1e-6);
        }
        CHECK(is_untouched(&vertices[i][0], sizeof(float)) && is_untouched(&vertices[i][4], 2 * sizeof(float)));
    }
    CHECK(is_untouched(vertices[COUNT], sizeof vertices[COUNT]));
    OK(wobble_body_set_velocity(body, 3, 2, 1));
    OK(wobble_body_velocities(body, vertices[0], sizeof vertices[0], COUNT));
    CHECK(vertices[99][0] == 3 && vertices[99][1] == 2 && vertices[99][2] == 1);
    OK(wobble_body_positions(body, before[0], 0, COUNT));
    OK(wobble_world_step(world, DT));
    CHECK(position_of(body, 0).x > before[0][0]);
    OK(wobble_body_previous_positions(body, vertices[0], sizeof vertices[0], COUNT));
    for (int i = 0; i < COUNT; i++) {
        CHECK(memcmp(vertices[i], before[i], sizeof before[i]) == 0);
    }
    OK(wobble_world_destroy(world));
}

static void views_show_what_is_copied(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleView positions, velocities;
    WobbleShape shape;
    const uint32_t *order;
    uint32_t count;
    OK(wobble_body_apply_impulse_to(body, 17, 1, 2, 3));
    OK(wobble_world_step(world, DT));
    OK(wobble_body_shape(body, &shape));
    OK(wobble_shape_view_order(shape, &order, &count));
    OK(wobble_body_view_positions(body, &positions));
    OK(wobble_body_view_velocities(body, &velocities));
    CHECK(positions.count == COUNT && positions.stride == 16);
    CHECK(velocities.count == COUNT && velocities.stride == 16);
    for (uint32_t i = 0; i < COUNT; i++) {
        WobbleVec3 x = position_of(body, order[i]), v = velocity_of(body, order[i]);
        CHECK(memcmp(positions.data + 4 * i, &x, sizeof x) == 0);
        CHECK(memcmp(velocities.data + 4 * i, &v, sizeof v) == 0);
    }
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
}

static void cluster_transforms_turn_with_the_body(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleShape shape;
    WobbleVec3 to = vec3(5, 6, 7);
    WobbleQuat half_turn = {0, 1, 0, 0};
    WobbleTransform transforms[COUNT];
    float centres[COUNT][3];
    WobbleLevelReport report;
    uint32_t levels;
    OK(wobble_body_teleport(body, &to, &half_turn));
    OK(wobble_body_shape(body, &shape));
    OK(wobble_body_level_count(body, &levels));
    for (uint32_t level = 0; level < levels; level++) {
        report.struct_size = sizeof report;
        OK(wobble_shape_level_report(shape, level, &report));
        OK(wobble_shape_cluster_centres(shape, level, centres[0], 0, COUNT));
        mark(transforms, sizeof transforms);
        OK(wobble_body_cluster_transforms(body, level, transforms, 0, COUNT));
        for (uint32_t i = 0; i < report.clusters; i++) {
            NEAR(fabsf(transforms[i].rotation.y), 1, 1e-4);
            NEAR(transforms[i].position.x, 5 - centres[i][0], 1e-4);
            NEAR(transforms[i].position.y, 6 + centres[i][1], 1e-4);
            NEAR(transforms[i].position.z, 7 - centres[i][2], 1e-4);
        }
        CHECK(is_untouched(&transforms[report.clusters], sizeof transforms[0] * (COUNT - report.clusters)));
    }
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
}

static void measures_follow_the_state(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleBounds bounds;
    WobbleVec3 momentum;
    float error, kinetic, elastic, volume;
    OK(wobble_body_volume(body, &volume));
    NEAR(volume, 1, 1e-5);
    OK(wobble_body_bounds(body, &bounds));
    NEAR(bounds.low.x, -0.5, 1e-6);
    NEAR(bounds.high.z, 0.5, 1e-6);
    OK(wobble_body_shape_error(body, &error));
    OK(wobble_body_kinetic_energy(body, &kinetic));
    OK(wobble_body_elastic_energy(body, &elastic));
    NEAR(error, 0, 1e-5);
    NEAR(kinetic, 0, 1e-9);
    NEAR(elastic, 0, 1e-3);
    OK(wobble_body_set_velocity(body, 0, 3, 0));
    OK(wobble_body_kinetic_energy(body, &kinetic));
    NEAR(kinetic, 4.5, 1e-4);
    OK(wobble_body_momentum(body, &momentum));
    NEAR(momentum.y, 3, 1e-4);
    OK(wobble_body_angular_momentum(body, &momentum));
    NEAR(momentum.x, 0, 1e-4);
    OK(wobble_body_set_position_of(body, COUNT - 1, 2, 2, 2));
    OK(wobble_body_bounds(body, &bounds));
    CHECK(bounds.high.x == 2 && bounds.high.y == 2 && bounds.high.z == 2);
    OK(wobble_body_shape_error(body, &error));
    OK(wobble_body_elastic_energy(body, &elastic));
    CHECK(error > 1e-3f && elastic > 1e-2f);
    NEAR(centre_of(body).x, 1.5 / COUNT, 1e-5);
    OK(wobble_world_destroy(world));
}

static void one_particle_is_read(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 position, velocity;
    OK(wobble_body_set_velocity(body, 1, 2, 3));
    OK(wobble_body_position_of(body, 7, &position));
    OK(wobble_body_velocity_of(body, 7, &velocity));
    NEAR(position.x, cube_points()[21], 1e-6);
    NEAR(position.z, cube_points()[23], 1e-6);
    CHECK(velocity.x == 1 && velocity.y == 2 && velocity.z == 3);
    OK(wobble_world_destroy(world));
}

int main(void) {
    one_particle_is_read();
    a_body_takes_a_material_in_all_its_fields();
    level_weights_sum_to_one_however_they_are_set();
    stiffness_and_damping_are_scaled_level_by_level();
    positions_come_in_the_order_of_the_points();
    views_show_what_is_copied();
    cluster_transforms_turn_with_the_body();
    measures_follow_the_state();
    return 0;
}
