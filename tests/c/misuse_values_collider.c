/* Numbers that cannot be, for every function about colliders and contacts: refused, nothing changed. */
#include "check.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
/* With one field of the definition changed. */
#define WITH(field, value, word)                                          \
    do {                                                                  \
        WobbleColliderDef def = start;                                    \
        def.field = (value);                                              \
        INVALID(word, wobble_collider_create(world, &def, &collider));    \
    } while (0)

static WobbleWorld world;
static WobbleColliderDef start;

static void definitions(float bad) {
    WobbleCollider collider;
    start.kind = WOBBLE_COLLIDER_PLANE;
    WITH(normal.x, bad, "normal");
    WITH(offset, bad, "offset");
    WITH(position.y, bad, "position");
    WITH(rotation.w, bad, "rotation");
    WITH(velocity.z, bad, "velocity");
    WITH(angular_velocity.x, bad, "angular_velocity");
    WITH(conveyor.x, bad, "conveyor");
    WITH(friction, bad, "friction");
    WITH(restitution, bad, "restitution");
    start.kind = WOBBLE_COLLIDER_SPHERE;
    WITH(radius, bad, "radius");
    start.kind = WOBBLE_COLLIDER_BOX;
    WITH(half_extents.y, bad, "half_extents");
    start.kind = WOBBLE_COLLIDER_CAPSULE;
    WITH(half_height, bad, "half_height");
    start.kind = WOBBLE_COLLIDER_CYLINDER;
    WITH(radius, bad, "radius");
}

static void arrays(float bad) {
    float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t indices[3] = {0, 1, 2};
    float heights[4] = {0, 0, 0, 0};
    WobbleCollider collider;
    start.points = points[0];
    start.point_count = 4;
    start.indices = indices;
    start.index_count = 3;
    start.heights = heights;
    start.columns = start.rows = 2;
    start.kind = WOBBLE_COLLIDER_HULL;
    WITH(point_count, 3, "points");
    WITH(point_stride, 5, "stride");
    points[2][1] = bad;
    WITH(mask, 1, "points");
    points[2][1] = 0;
    WITH(mask, 1, "points");
    start.kind = WOBBLE_COLLIDER_MESH;
    WITH(index_count, 2, "indices");
    WITH(mask, 1, "triangles");
    indices[1] = 4;
    WITH(mask, 1, "indices");
    start.kind = WOBBLE_COLLIDER_HEIGHT_FIELD;
    WITH(columns, 1, "columns");
    start.rows = 65536;
    WITH(columns, 65536, "columns times rows");
    WITH(columns, UINT32_MAX, "columns");
    start.rows = 2;
    WITH(spacing_z, bad, "spacing");
    heights[3] = bad;
    WITH(mask, 1, "heights");
}

int main(void) {
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    WobbleCollider collider;
    WobbleBody body;
    WobbleContact contact;
    WobbleVec3 vector = vec3(0, 0, 0);
    uint32_t count;
    world = calm_world();
    body = add_cube(world);
    OK(wobble_collider_create(world, NULL, &collider));
    for (int i = 0; i < 3; i++) {
        OK(wobble_collider_def_init(&start, sizeof start));
        definitions(bad[i]);
        arrays(bad[i]);
        vector.x = bad[i];
        WobbleVec3 none = vec3(0, 0, 0);
        INVALID("position", wobble_collider_set_pose(collider, &vector, NULL));
        INVALID("position", wobble_collider_move(collider, &vector, NULL));
        INVALID("velocity", wobble_collider_set_velocity(collider, &vector, &none));
        INVALID("angular_velocity", wobble_collider_set_velocity(collider, &none, &vector));
        INVALID("conveyor", wobble_collider_set_conveyor(collider, 0, bad[i], 0));
        INVALID("friction", wobble_collider_set_surface(collider, bad[i], 0, 0));
        INVALID("restitution", wobble_collider_set_surface(collider, 0, bad[i], 0));
        INVALID("friction", wobble_body_set_surface(body, bad[i], 0, 0));
        INVALID("restitution", wobble_body_set_surface(body, 0, bad[i], 0));
        INVALID("radius", wobble_body_set_particle_radius(body, bad[i]));
        INVALID("parting", wobble_body_set_touch(body, bad[i], 0, 0));
        INVALID("contact_threshold", wobble_world_set_contact_reporting(world, bad[i], 1));
    }
    OK(wobble_collider_def_init(&start, sizeof start));
    WITH(kind, 9, "kind");
    WITH(combine, 5, "combine");
    WITH(normal.y, 0, "normal");
    INVALID("combine", wobble_collider_set_surface(collider, 0, 0, 5));
    INVALID("combine", wobble_body_set_surface(body, 0, 0, 5));
    INVALID("restitution", wobble_body_set_surface(body, 0, 1.5f, 0));
    INVALID("radius", wobble_body_set_particle_radius(body, -1));
    INVALID("meet", wobble_world_set_bodies_meet(world, 2));
    INVALID("parting", wobble_body_set_touch(body, 1.1f, 0, 0));
    INVALID("touches_itself", wobble_body_set_touch(body, 0.5f, 2, 0));
    INVALID("proxies", wobble_body_set_touch(body, 0.5f, 0, 2));
    INVALID("max_contacts", wobble_world_set_contact_reporting(world, 0, 16777217));
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_world_step(world, 0.01f));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "contacts", wobble_world_contacts(world, &contact, 0, &count));
    OK(wobble_world_destroy(world));
    return 0;
}
