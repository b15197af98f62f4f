/* Every function about attachments and the choice of particles, and what it does. */
#include "check.h"

static void step(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

static uint32_t attachments_of(WobbleWorld world) {
    uint32_t count = 99;
    OK(wobble_world_attachment_count(world, &count));
    return count;
}

/* The particles of the top face. */
static uint32_t top(WobbleBody body, uint32_t particles[COUNT]) {
    WobbleBounds bounds = {{-9, 0.45f, -9}, {9, 9, 9}};
    uint32_t count = 0;
    OK(wobble_body_particles_in_box(body, &bounds, WOBBLE_SPACE_REST, particles, COUNT, &count));
    CHECK(count == SIDE * SIDE);
    return count;
}

static void particles_are_chosen_by_where_they_are_now_or_at_rest(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleVec3 away = vec3(10, 0, 0), corner = vec3(-0.5f, -0.5f, -0.5f);
    uint32_t found[COUNT], count = 0, nearest = COUNT;
    WobbleBounds bounds = {{-0.6f, -0.6f, -0.6f}, {-0.2f, 0.6f, 0.6f}};
    OK(wobble_body_teleport(body, &away, NULL));
    OK(wobble_body_particles_in_box(body, &bounds, WOBBLE_SPACE_REST, found, COUNT, &count));
    CHECK(count == 2 * SIDE * SIDE && found[0] == 0 && found[1] == 1 && found[2] == SIDE);
    OK(wobble_body_particles_in_box(body, &bounds, WOBBLE_SPACE_WORLD, found, COUNT, &count));
    CHECK(count == 0);
    OK(wobble_body_particles_in_sphere(body, &corner, 0.26f, WOBBLE_SPACE_REST, found, COUNT, &count));
    CHECK(count == 4 && found[0] == 0 && found[1] == 1 && found[2] == SIDE && found[3] == SIDE * SIDE);
    OK(wobble_body_particles_in_sphere(body, &away, 0.01f, WOBBLE_SPACE_WORLD, found, COUNT, &count));
    CHECK(count == 1 && found[0] == COUNT / 2);
    OK(wobble_body_nearest_particle(body, &corner, WOBBLE_SPACE_REST, &nearest));
    CHECK(nearest == 0);
    OK(wobble_body_nearest_particle(body, &away, WOBBLE_SPACE_WORLD, &nearest));
    CHECK(nearest == COUNT / 2);
    /* While a step runs in the background the state before it is asked. */
    OK(wobble_world_step_begin(world, 0.01f));
    OK(wobble_body_nearest_particle(body, &away, WOBBLE_SPACE_WORLD, &nearest));
    OK(wobble_world_step_wait(world));
    OK(wobble_world_destroy(world));
}

static void a_body_hangs_from_a_frame_that_moves(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    uint32_t particles[COUNT], count = top(body, particles), listed = 0;
    WobbleAttachmentDef def;
    WobbleAttachment hung, all[2];
    WobbleVec3 impulse, torque, to = vec3(1, 0, 0);
    WobbleQuat quarter = {0, 0.70710678f, 0, 0.70710678f};
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_attachment_def_init(&def, sizeof def));
    CHECK(def.hertz == 0 && def.break_force == 0 && def.damping_ratio == 1 && def.rotation.w == 1);
    OK(wobble_body_attach(body, particles, count, NULL, &hung));
    CHECK(attachments_of(world) == 1);
    OK(wobble_world_attachments(world, all, 2, &listed));
    CHECK(listed == 1 && all[0].bits == hung.bits);
    /* From rest to rest, the impulse taken in half a second is the weight's. */
    double taken = 0;
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        OK(wobble_attachment_impulse(hung, &impulse, &torque));
        taken -= impulse.y;
    }
    NEAR(taken, 0.5 * 9.81, 0.1);
    CHECK(fabsf(position_of(body, particles[0]).y - 0.5f) < 1e-5f);
    OK(wobble_attachment_move(hung, &to, &quarter));
    step(world, 1);
    /* (x, y, z) turned by a quarter about y is (z, y, -x). */
    const float *rest = &cube_points()[3 * particles[3]];
    NEAR(position_of(body, particles[3]).x, 1 + rest[2], 1e-4);
    NEAR(position_of(body, particles[3]).z, -rest[0], 1e-4);
    OK(wobble_attachment_move(hung, &to, NULL));
    step(world, 1);
    NEAR(position_of(body, particles[3]).x, 1 + rest[0], 1e-4);
    OK(wobble_attachment_destroy(hung));
    CHECK(attachments_of(world) == 0);
    OK(wobble_body_set_velocity(body, 0, 0, 0));
    float height = centre_of(body).y;
    step(world, 60);
    NEAR(height - centre_of(body).y, 0.5 * 9.81, 0.1);
    OK(wobble_world_destroy(world));
}

/* The greatest speed of a particle, m/s, in half a second. */
static double top_speed(WobbleWorld world, WobbleBody body) {
    double most = 0;
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        for (uint32_t particle = 0; particle < COUNT; particle++) {
            WobbleVec3 v;
            OK(wobble_body_velocity_of(body, particle, &v));
            most = fmax(most, sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
        }
    }
    return most;
}

static void a_teleported_character_takes_along_what_it_holds_without_speed(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleBounds below = {{-9, -9, -9}, {9, -0.45f, 9}};
    uint32_t particles[COUNT], count = top(body, particles);
    WobbleAttachment held[2], hand;
    WobbleDragDef drag;
    WobbleVec3 to = vec3(40, 0, -30), grip = vec3(40.5f, 0, -30);
    WobbleQuat quarter = {0, 0.70710678f, 0, 0.70710678f};
    OK(wobble_body_attach(body, particles, count, NULL, &held[0]));
    OK(wobble_body_particles_in_box(body, &below, WOBBLE_SPACE_REST, particles, COUNT, &count));
    OK(wobble_body_attach(body, particles, count, NULL, &held[1]));
    OK(wobble_drag_def_init(&drag, sizeof drag));
    drag.point = vec3(0, 0, 0.5f);
    OK(wobble_body_drag(body, &drag, &hand));
    OK(wobble_body_teleport(body, &to, &quarter));
    for (int i = 0; i < 2; i++) {
        OK(wobble_attachment_set_pose(held[i], &to, &quarter));
    }
    OK(wobble_attachment_set_pose(hand, &grip, NULL));
    CHECK(top_speed(world, body) < 0.01);
    /* Moving sweeps them there instead. */
    OK(wobble_body_teleport(body, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        OK(wobble_attachment_move(held[i], &to, NULL));
    }
    OK(wobble_attachment_destroy(hand));
    to.x = 0;
    OK(wobble_attachment_move(held[0], &to, NULL));
    CHECK(top_speed(world, body) > 1000);
    OK(wobble_world_destroy(world));
}

static void what_is_pulled_too_hard_breaks_and_is_told(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    uint32_t particles[COUNT], count = top(body, particles), broken = 7;
    WobbleAttachmentDef def;
    WobbleAttachment weak, firm, found[2];
    OK(wobble_attachment_def_init(&def, sizeof def));
    def.hertz = 20;
    def.damping_ratio = 0.5f;
    def.break_force = 5;
    OK(wobble_body_attach(body, particles, count, &def, &weak));
    OK(wobble_body_attach(body, particles, count, NULL, &firm));
    OK(wobble_attachment_destroy(firm));
    step(world, 10);
    OK(wobble_world_broken_attachment_count(world, &broken));
    CHECK(broken == 0 && attachments_of(world) == 1);
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    for (int i = 0; i < 60 && broken == 0; i++) {
        step(world, 1);
        OK(wobble_world_broken_attachment_count(world, &broken));
    }
    CHECK(broken == 1 && attachments_of(world) == 0);
    OK(wobble_world_broken_attachments(world, found, 2, &broken));
    CHECK(broken == 1 && found[0].bits == weak.bits);
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "attachment", wobble_attachment_destroy(weak));
    step(world, 1);
    OK(wobble_world_broken_attachments(world, NULL, 0, &broken));
    CHECK(broken == 0);
    OK(wobble_world_destroy(world));
}

static void joints_hold_bodies_together_and_end_with_them(void) {
    WobbleWorld world = calm_world();
    WobbleBody left = add_cube(world), right = add_cube(world);
    WobbleVec3 apart = vec3(1.5f, 0, 0), impulse, torque, momentum;
    WobbleJointDef def;
    WobbleAttachment joint;
    double before = 0, sum = 0;
    OK(wobble_body_teleport(right, &apart, NULL));
    OK(wobble_joint_def_init(&def, sizeof def));
    CHECK(def.length == -1 && def.hertz == 0 && def.radius == 0);
    def.point = vec3(0.5f, 0, 0);
    def.other_point = vec3(1, 0, 0);
    def.radius = 0.3f;
    OK(wobble_body_join(left, right, &def, &joint));
    OK(wobble_body_set_velocity(right, 3, 0, 0));
    OK(wobble_body_momentum(right, &momentum));
    before = momentum.x;
    for (int i = 0; i < 120; i++) {
        step(world, 1);
        OK(wobble_attachment_impulse(joint, &impulse, &torque));
        CHECK(torque.x == 0 && torque.y == 0 && torque.z == 0);
        sum += impulse.x;
    }
    OK(wobble_body_momentum(right, &momentum));
    NEAR(momentum.x - before, sum, 1e-3);
    CHECK(sum < -0.5 && centre_of(left).x > 1 && centre_of(right).x - centre_of(left).x < 2);
    OK(wobble_body_destroy(right));
    CHECK(attachments_of(world) == 0);
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "attachment", wobble_attachment_impulse(joint, &impulse, &torque));
    /* Two places of one body. */
    OK(wobble_body_join(left, left, &def, &joint));
    OK(wobble_world_destroy(world));
}

static void a_drag_pulls_no_harder_than_it_may(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleDragDef def;
    WobbleAttachment drag;
    WobbleVec3 to = vec3(0, 3, 0), impulse, torque;
    OK(wobble_drag_def_init(&def, sizeof def));
    CHECK(def.hertz == 5 && def.damping_ratio == 1 && def.max_force == 0);
    def.point = vec3(0, 0.5f, 0);
    def.radius = 0.4f;
    def.max_force = 20;
    OK(wobble_body_drag(body, &def, &drag));
    OK(wobble_attachment_move(drag, &to, NULL));
    step(world, 1);
    OK(wobble_attachment_impulse(drag, &impulse, &torque));
    NEAR(impulse.y, -20.0 / 60, 1e-3);
    step(world, 300);
    NEAR(centre_of(body).y, 2.5, 0.05);
    OK(wobble_attachment_destroy(drag));
    OK(wobble_world_destroy(world));
}

static void a_restored_world_has_its_attachments_again(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    uint32_t particles[COUNT], count = top(body, particles), size;
    WobbleAttachment first, second;
    uint64_t wanted;
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_body_attach(body, particles, count, NULL, &first));
    step(world, 5);
    OK(wobble_world_snapshot_size(world, &size));
    uint8_t *bytes = malloc(size);
    CHECK(bytes != NULL);
    OK(wobble_world_snapshot(world, bytes, size, &size));
    step(world, 5);
    wanted = hash_of(world);
    OK(wobble_attachment_destroy(first));
    OK(wobble_body_attach(body, particles, count, NULL, &second));
    CHECK(first.bits != second.bits);
    OK(wobble_world_restore(world, bytes, size, NULL, 0));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "attachment", wobble_attachment_destroy(second));
    step(world, 5);
    CHECK(hash_of(world) == wanted);
    OK(wobble_attachment_destroy(first));
    free(bytes);
    OK(wobble_world_destroy(world));
}

int main(void) {
    particles_are_chosen_by_where_they_are_now_or_at_rest();
    a_body_hangs_from_a_frame_that_moves();
    a_teleported_character_takes_along_what_it_holds_without_speed();
    what_is_pulled_too_hard_breaks_and_is_told();
    joints_hold_bodies_together_and_end_with_them();
    a_drag_pulls_no_harder_than_it_may();
    a_restored_world_has_its_attachments_again();
    return 0;
}
