/* Every function about colliders and contacts, and what it does. */
#include "check.h"

static WobbleColliderDef standard(uint32_t kind) {
    WobbleColliderDef def;
    OK(wobble_collider_def_init(&def, sizeof def));
    def.kind = kind;
    return def;
}

static void step(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

/* Every kind of collider with its top at y = 0. */
static void cubes_lie_on_every_kind_of_collider(void) {
    static const float points[8][3] = {{-2, -1, -2}, {2, -1, -2}, {-2, 0, -2}, {2, 0, -2},
                                       {-2, -1, 2},  {2, -1, 2},  {-2, 0, 2},  {2, 0, 2}};
    static const uint32_t indices[6] = {2, 6, 7, 2, 7, 3};
    static const float heights[9] = {0};
    for (uint32_t kind = WOBBLE_COLLIDER_PLANE; kind <= WOBBLE_COLLIDER_SURFACE; kind++) {
        WobbleWorld world = calm_world();
        WobbleBody body = add_cube(world);
        WobbleColliderDef def = standard(kind);
        WobbleCollider collider;
        WobbleVec3 above = vec3(0, 0.55f, 0);
        OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
        OK(wobble_body_teleport(body, &above, NULL));
        def.half_extents = vec3(2, 1, 2);
        def.half_height = 1;
        def.radius = 3;
        def.points = points[0];
        def.point_count = 8;
        def.indices = indices;
        def.index_count = 6;
        def.heights = heights;
        def.columns = def.rows = 3;
        def.spacing_x = def.spacing_z = 2;
        def.position.y = kind == WOBBLE_COLLIDER_SPHERE ? -3.0f : kind == WOBBLE_COLLIDER_CAPSULE ? -4.0f : 0.0f;
        if (kind == WOBBLE_COLLIDER_BOX || kind == WOBBLE_COLLIDER_CYLINDER) {
            def.position.y = -1;
        }
        OK(wobble_collider_create(world, &def, &collider));
        step(world, 60);
        CHECK(centre_of(body).y > 0.3f && centre_of(body).y < 0.55f);
        OK(wobble_collider_set_enabled(collider, 0));
        step(world, 30);
        CHECK(centre_of(body).y < 0.0f);
        OK(wobble_collider_destroy(collider));
        OK(wobble_world_destroy(world));
    }
}

static void colliders_move_and_drag_bodies_along(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleColliderDef def = standard(WOBBLE_COLLIDER_BOX);
    WobbleCollider floor;
    WobbleVec3 at, velocity = vec3(1, 0, 0), none = vec3(0, 0, 0), start = vec3(0, 0.51f, 0);
    WobbleQuat turn;
    def.half_extents = vec3(20, 0.5f, 20);
    def.position.y = -0.5f;
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_body_teleport(body, &start, NULL));
    OK(wobble_collider_create(world, &def, &floor));
    OK(wobble_collider_set_velocity(floor, &velocity, &none));
    step(world, 60);
    OK(wobble_collider_pose(floor, &at, &turn));
    NEAR(at.x, 1.0, 1e-3);
    CHECK(turn.w == 1.0f && centre_of(body).x > 0.7f);
    OK(wobble_collider_set_velocity(floor, &none, &none));
    OK(wobble_collider_set_conveyor(floor, 0, 0, 1));
    step(world, 60);
    CHECK(centre_of(body).z > 0.7f);
    OK(wobble_collider_set_conveyor(floor, 0, 0, 0));
    at.y -= 0.01f;
    OK(wobble_collider_move(floor, &at, NULL));
    step(world, 1);
    OK(wobble_collider_pose(floor, &velocity, &turn));
    CHECK(velocity.y == at.y);
    at.y = -100;
    OK(wobble_collider_set_pose(floor, &at, &turn));
    OK(wobble_collider_pose(floor, &velocity, &turn));
    CHECK(velocity.y == -100.0f);
    OK(wobble_world_destroy(world));
}

static void surfaces_and_groups_decide_about_contacts(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleCollider ground;
    WobbleVec3 above = vec3(0, 0.6f, 0);
    OK(wobble_world_set_gravity(world, 1, -9.81f, 0));
    OK(wobble_body_teleport(body, &above, NULL));
    OK(wobble_collider_create(world, NULL, &ground));
    OK(wobble_body_set_particle_radius(body, 0.1f));
    OK(wobble_collider_set_surface(ground, 0, 0, WOBBLE_COMBINE_MINIMUM));
    step(world, 60);
    CHECK(centre_of(body).x > 0.4f && centre_of(body).y > 0.59f);
    OK(wobble_body_set_surface(body, 2, 0, WOBBLE_COMBINE_MAXIMUM));
    step(world, 60);
    CHECK(fabsf(velocity_of(body, 0).x) < 0.01f);
    OK(wobble_body_set_groups(body, 2, 2));
    step(world, 30);
    CHECK(centre_of(body).y < 0.4f);
    OK(wobble_collider_set_groups(ground, 2, 2));
    step(world, 30);
    CHECK(centre_of(body).y > 0.4f);
    OK(wobble_world_destroy(world));
}

static void contacts_begin_stay_and_end_and_colliders_take_what_bodies_lose(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleCollider ground;
    WobbleVec3 above = vec3(0, 0.501f, 0), impulse, torque;
    WobbleContact contacts[4];
    uint32_t count, mass_steps = 0;
    float mass;
    WobbleShape shape;
    OK(wobble_body_shape(body, &shape));
    OK(wobble_shape_mass(shape, &mass));
    OK(wobble_shape_release(shape));
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_body_teleport(body, &above, NULL));
    OK(wobble_body_set_can_sleep(body, 0));
    OK(wobble_collider_create(world, NULL, &ground));
    for (count = 0; count == 0 && mass_steps < 60; mass_steps++) {
        step(world, 1);
        OK(wobble_world_contact_count(world, &count));
    }
    OK(wobble_world_contacts(world, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].phase == WOBBLE_CONTACT_BEGIN && contacts[0].body.bits == body.bits);
    CHECK(contacts[0].other_collider.bits == ground.bits && contacts[0].other_body.bits == 0);
    CHECK(contacts[0].normal.y > 0.99f && contacts[0].impulse > 0 && fabsf(contacts[0].point.y) < 0.01f);
    step(world, 120);
    OK(wobble_world_contacts(world, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].phase == WOBBLE_CONTACT_STAY);
    OK(wobble_collider_impulse(ground, &impulse, &torque));
    NEAR(impulse.y, -mass * 9.81f / 60.0f, 0.02 * mass);
    NEAR(contacts[0].impulse, -impulse.y, 1e-3 * mass);
    above.y = 5;
    OK(wobble_body_teleport(body, &above, NULL));
    step(world, 1);
    OK(wobble_world_contacts(world, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].phase == WOBBLE_CONTACT_END && contacts[0].impulse == 0);
    above.y = 0.501f;
    OK(wobble_body_teleport(body, &above, NULL));
    OK(wobble_world_set_contact_reporting(world, 1e6f, 10));
    step(world, 30);
    OK(wobble_world_contact_count(world, &count));
    CHECK(count == 0);
    OK(wobble_world_destroy(world));
}

static void bodies_meet_where_the_world_says_so(void) {
    for (uint32_t meet = 0; meet <= 1; meet++) {
        WobbleWorld world = calm_world();
        WobbleBody left = add_cube(world), right = add_cube(world);
        WobbleVec3 apart = vec3(1.5f, 0, 0);
        WobbleContact contact;
        uint32_t found = 7, count, touched = 0;
        OK(wobble_world_set_bodies_meet(world, meet));
        OK(wobble_world_bodies_meet(world, &found));
        CHECK(found == meet);
        OK(wobble_body_teleport(right, &apart, NULL));
        OK(wobble_body_set_velocity(left, 4, 0, 0));
        for (int i = 0; i < 60; i++) {
            step(world, 1);
            OK(wobble_world_contacts(world, &contact, 1, &count));
            if (count == 1 && touched == 0) {
                touched = 1;
                CHECK(contact.body.bits == left.bits && contact.other_body.bits == right.bits);
                CHECK(contact.other_collider.bits == 0 && contact.normal.x < -0.9f);
            }
        }
        CHECK(touched == meet && (centre_of(left).x < centre_of(right).x) == (meet == 1));
        OK(wobble_world_destroy(world));
    }
}

int main(void) {
    bodies_meet_where_the_world_says_so();
    cubes_lie_on_every_kind_of_collider();
    colliders_move_and_drag_bodies_along();
    surfaces_and_groups_decide_about_contacts();
    contacts_begin_stay_and_end_and_colliders_take_what_bodies_lose();
    return 0;
}
