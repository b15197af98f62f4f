/* Every query, and what it finds. */
#include "check.h"

static WobbleWorld world;
static WobbleBody body;
static WobbleCollider ball;

/* A cube about the origin and a ball of 1 m about (5, 0, 0). */
static void make_scene(void) {
    WobbleColliderDef def;
    world = calm_world();
    body = add_cube(world);
    OK(wobble_collider_def_init(&def, sizeof def));
    def.kind = WOBBLE_COLLIDER_SPHERE;
    def.radius = 1;
    def.position.x = 5;
    OK(wobble_collider_create(world, &def, &ball));
}

static void rays_find_bodies_and_colliders(void) {
    WobbleVec3 origin = vec3(-5, 0.1f, 0), along = vec3(2, 0, 0), back = vec3(-1, 0, 0), behind = vec3(20, 0, 0);
    WobbleHit hit;
    OK(wobble_world_cast_ray(world, &origin, &along, 100, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 1 && hit.body.bits == body.bits && hit.collider.bits == 0);
    NEAR(hit.distance, 4.5, 0.05);
    NEAR(hit.point.x, -0.5, 0.05);
    CHECK(hit.normal.x < -0.99f && hit.particle < COUNT && hit.cluster < COUNT);
    NEAR(position_of(body, hit.particle).x, -0.5, 1e-5);
    OK(wobble_world_cast_ray(world, &behind, &back, 100, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 1 && hit.collider.bits == ball.bits && hit.body.bits == 0);
    CHECK(hit.particle == WOBBLE_NONE && hit.cluster == WOBBLE_NONE);
    NEAR(hit.distance, 14, 1e-4);
    OK(wobble_world_cast_ray(world, &behind, &back, 13, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 0 && hit.body.bits == 0 && hit.collider.bits == 0 && hit.particle == WOBBLE_NONE);
    OK(wobble_world_cast_ray(world, &behind, &back, 100, 1, 2, &hit));
    CHECK(hit.found == 0);
    OK(wobble_body_set_groups(body, 2, UINT32_MAX));
    OK(wobble_world_cast_ray(world, &behind, &back, 100, 1, 2, &hit));
    CHECK(hit.found == 1 && hit.body.bits == body.bits);
    OK(wobble_body_set_groups(body, 1, UINT32_MAX));
}

static void the_closest_point_is_found_outside_and_inside(void) {
    WobbleVec3 outside = vec3(3, 0, 0), inside = vec3(0.2f, 0, 0);
    WobbleHit hit;
    OK(wobble_world_closest_point(world, &outside, 10, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 1 && hit.collider.bits == ball.bits);
    NEAR(hit.distance, 1, 1e-4);
    NEAR(hit.point.x, 4, 1e-4);
    OK(wobble_world_closest_point(world, &inside, 10, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 1 && hit.body.bits == body.bits && hit.normal.x > 0.9f);
    NEAR(hit.distance, -0.3, 0.05);
    OK(wobble_world_closest_point(world, &outside, 0.5f, 1, UINT32_MAX, &hit));
    CHECK(hit.found == 0);
}

static void overlaps_list_bodies_and_colliders(void) {
    WobbleVec3 between = vec3(2.5f, 0, 0), half = vec3(2.2f, 0.1f, 0.1f);
    WobbleQuat quarter = {0, 0.70710678f, 0, 0.70710678f};
    WobblePartner found[3];
    uint32_t count = 7;
    OK(wobble_world_overlap_sphere(world, &between, 2.1f, 1, UINT32_MAX, found, 3, &count));
    CHECK(count == 2 && found[0].body.bits == body.bits && found[0].collider.bits == 0);
    CHECK(found[1].collider.bits == ball.bits && found[1].body.bits == 0);
    OK(wobble_world_overlap_sphere(world, &between, 1, 1, UINT32_MAX, NULL, 0, &count));
    CHECK(count == 0);
    OK(wobble_world_overlap_box(world, &between, &half, NULL, 1, UINT32_MAX, found, 3, &count));
    CHECK(count == 2);
    OK(wobble_world_overlap_box(world, &between, &half, &quarter, 1, UINT32_MAX, found, 3, &count));
    CHECK(count == 0);
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "capacity",
            wobble_world_overlap_box(world, &between, &half, NULL, 1, UINT32_MAX, found, 1, &count));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "capacity",
            wobble_world_overlap_sphere(world, &between, 2.1f, 1, UINT32_MAX, found, 1, &count));
}

int main(void) {
    make_scene();
    rays_find_bodies_and_colliders();
    the_closest_point_is_found_outside_and_inside();
    overlaps_list_bodies_and_colliders();
    OK(wobble_world_destroy(world));
    return 0;
}
