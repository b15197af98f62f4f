/* Colliders, contacts and rays of the book's chapter on collision. */
#include "snippet.h"

enum { MOST = 64 };

int main(void) {
    WobbleWorld world;
    check(wobble_world_create(NULL, &world));
    WobbleBody body = box(world, 0.8f, 0.25f);

    /* ANCHOR: collider */
    WobbleColliderDef def;
    WobbleCollider ground, lift;
    check(wobble_collider_create(world, NULL, &ground)); /* the plane y = 0 */
    check(wobble_collider_def_init(&def, sizeof def));
    def.kind = WOBBLE_COLLIDER_BOX;
    def.half_extents.y = 0.1f;
    def.position.y = 0.2f;
    def.friction = 0.8f;
    check(wobble_collider_create(world, &def, &lift));
    /* ANCHOR_END: collider */
    run(world, 60);

    int began = 0;
    WobbleVec3 place = def.position;
    for (int frame = 0; frame < 60; frame++) {
        /* ANCHOR: move */
        place.y += 0.5f / 60.0f;                          /* up at half a metre a second */
        check(wobble_collider_move(lift, &place, NULL)); /* the next step takes it there, and what lies on it along */
        check(wobble_world_step(world, 1.0f / 60.0f));
        /* ANCHOR_END: move */
    }

    check(wobble_body_apply_impulse(body, 0.0f, 500.0f, 0.0f));
    for (int frame = 0; frame < 120; frame++) {
        check(wobble_world_step(world, 1.0f / 60.0f));
        /* ANCHOR: contacts */
        WobbleContact contacts[MOST];
        uint32_t count;
        check(wobble_world_contact_count(world, &count));
        if (count > MOST) return 1; /* or a larger array */
        check(wobble_world_contacts(world, contacts, MOST, &count));
        for (uint32_t i = 0; i < count; i++) {
            if (contacts[i].phase == WOBBLE_CONTACT_BEGIN && contacts[i].impulse > 1.0f)
                printf("a thud of %.0f N s at %.2f m\n", contacts[i].impulse, contacts[i].point.y), began++;
        }
        /* ANCHOR_END: contacts */
    }
    expect(began > 0, "a body that is thrown up lands again");

    /* ANCHOR: pushed */
    WobbleVec3 impulse, torque;
    check(wobble_collider_impulse(lift, &impulse, &torque)); /* N s and N m s in the last step */
    /* ANCHOR_END: pushed */
    expect(impulse.y < 0.0f, "what lies on a collider presses it down");

    /* ANCHOR: ray */
    WobbleHit hit;
    WobbleVec3 eye = {0.0f, 1.0f, 5.0f}, forward = {0.0f, 0.0f, -1.0f};
    check(wobble_world_cast_ray(world, &eye, &forward, 100.0f, 1, UINT32_MAX, &hit));
    if (hit.found && hit.body.bits != 0) printf("hit particle %u, %.2f m away\n", hit.particle, hit.distance);
    /* ANCHOR_END: ray */
    expect(hit.body.bits == body.bits, "the ray hits the body");

    /* ANCHOR: drag */
    WobbleDragDef drag;
    WobbleAttachment hand;
    check(wobble_drag_def_init(&drag, sizeof drag)); /* the mouse goes down */
    drag.point = hit.point;
    drag.radius = 0.1f;
    check(wobble_body_drag(hit.body, &drag, &hand));
    WobbleVec3 mouse = hit.point;
    for (int frame = 0; frame < 60; frame++) {
        mouse.x += 1.0f / 60.0f;
        check(wobble_attachment_move(hand, &mouse, NULL)); /* each frame */
        check(wobble_world_step(world, 1.0f / 60.0f));
    }
    check(wobble_attachment_destroy(hand)); /* the mouse goes up */
    /* ANCHOR_END: drag */
    WobbleVec3 centre;
    check(wobble_body_centre_of_mass(body, &centre));
    expect(centre.x > 0.3f, "a body follows the hand");

    drag.point = mouse;
    check(wobble_body_drag(body, &drag, &hand));
    /* ANCHOR: jump */
    const float away = 1000.0f;
    check(wobble_body_centre_of_mass(body, &centre));
    centre.x += away, place.x += away, mouse.x += away;
    check(wobble_body_teleport(body, &centre, NULL));
    check(wobble_collider_set_pose(lift, &place, NULL));
    check(wobble_attachment_set_pose(hand, &mouse, NULL));
    /* ANCHOR_END: jump */
    run(world, 1);
    WobbleVec3 after;
    check(wobble_body_centre_of_mass(body, &after));
    after.x -= centre.x;
    expect(after.x > -0.1f && after.x < 0.1f, "what jumps gains no speed");
    check(wobble_world_destroy(world));
    return 0;
}
