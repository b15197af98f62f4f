/* Null and misaligned pointers, and wrong sizes, for every function about colliders and contacts. */
#include "check.h"

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

int main(void) {
    WobbleWorld world = calm_world();
    WobbleColliderDef def;
    WobbleCollider collider;
    WobbleVec3 vector = vec3(0, 0, 0);
    WobbleQuat turn = {0, 0, 0, 1};
    WobbleContact contact;
    uint32_t count;
    static uint64_t room[8];
    void *one_off = (unsigned char *)room + 1;
    WobbleVec3 *odd = one_off;
    NULL_POINTER("def", wobble_collider_def_init(NULL, sizeof def));
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "size", wobble_collider_def_init(&def, 3));
    OK(wobble_collider_def_init(&def, sizeof def));
    NULL_POINTER("out_collider", wobble_collider_create(world, NULL, NULL));
    OK(wobble_collider_create(world, NULL, &collider));
    NULL_POINTER("position", wobble_collider_set_pose(collider, NULL, &turn));
    INVALID("position", wobble_collider_set_pose(collider, odd, &turn));
    NULL_POINTER("position", wobble_collider_move(collider, NULL, &turn));
    INVALID("position", wobble_collider_move(collider, odd, &turn));
    NULL_POINTER("out_position", wobble_collider_pose(collider, NULL, &turn));
    NULL_POINTER("out_rotation", wobble_collider_pose(collider, &vector, NULL));
    NULL_POINTER("velocity", wobble_collider_set_velocity(collider, NULL, &vector));
    NULL_POINTER("angular_velocity", wobble_collider_set_velocity(collider, &vector, NULL));
    NULL_POINTER("out_impulse", wobble_collider_impulse(collider, NULL, &vector));
    NULL_POINTER("out_torque_impulse", wobble_collider_impulse(collider, &vector, NULL));
    NULL_POINTER("out_count", wobble_world_contact_count(world, NULL));
    NULL_POINTER("out_count", wobble_world_contacts(world, &contact, 1, NULL));
    NULL_POINTER("out_meet", wobble_world_bodies_meet(world, NULL));
    OK(wobble_world_contacts(world, NULL, 0, &count));
    def.kind = WOBBLE_COLLIDER_HULL;
    def.point_count = 4;
    NULL_POINTER("points", wobble_collider_create(world, &def, &collider));
    def.kind = WOBBLE_COLLIDER_MESH;
    def.index_count = 3;
    NULL_POINTER("indices", wobble_collider_create(world, &def, &collider));
    def.kind = WOBBLE_COLLIDER_HEIGHT_FIELD;
    def.columns = def.rows = 2;
    NULL_POINTER("heights", wobble_collider_create(world, &def, &collider));
    def.struct_size = 5;
    REFUSED(WOBBLE_STATUS_STRUCT_SIZE, "struct_size", wobble_collider_create(world, &def, &collider));
    OK(wobble_world_destroy(world));
    return 0;
}
