/* A chain of two jelly cubes, picked with a ray and dragged as with a mouse. Prints what was hit and where the
 * cubes are. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "wobble.h"

static void check(WobbleStatus status) {
    if (status != WOBBLE_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
        exit(1);
    }
}

static WobbleVec3 vec3(float x, float y, float z) {
    WobbleVec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    WobbleSolidDef solid;
    WobbleSamplingDef sampling;
    WobbleShape shape;
    WobbleBodyDef def;
    WobbleBody left, right;
    WobbleJointDef joint;
    WobbleAttachment chain, hand;
    WobbleDragDef drag;
    WobbleHit hit;
    WobbleVec3 centre[2];
    float mass;

    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    check(wobble_solid_def_init(&solid, sizeof solid));
    solid.kind = WOBBLE_SOLID_BOX;
    solid.size = vec3(0.5f, 0.5f, 0.5f);
    check(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 500;
    check(wobble_shape_create_from_solid(&solid, &sampling, NULL, &shape));
    check(wobble_shape_mass(shape, &mass));

    /* Two cubes on the ground, joined between the sides that face each other. */
    check(wobble_body_def_init(&def, sizeof def));
    def.position = vec3(-0.4f, 0.25f, 0.0f);
    check(wobble_body_create(world, shape, &def, &left));
    def.position.x = 0.4f;
    check(wobble_body_create(world, shape, &def, &right));
    check(wobble_joint_def_init(&joint, sizeof joint));
    joint.point = vec3(-0.15f, 0.25f, 0.0f);
    joint.other_point = vec3(0.15f, 0.25f, 0.0f);
    joint.radius = 0.2f;
    check(wobble_body_join(left, right, &joint, &chain));

    /* The mouse goes down: a ray from the eye through the pixel finds what is under it. */
    const WobbleVec3 eye = vec3(0.4f, 1.5f, 3.0f), forward = vec3(0.0f, -1.1f, -2.8f);
    check(wobble_world_cast_ray(world, &eye, &forward, 100.0f, 1, UINT32_MAX, &hit));
    if (!hit.found || hit.body.bits != right.bits) {
        printf("missed\n");
        return 1;
    }
    printf("hit particle %u at (%.2f, %.2f, %.2f), %.2f m away\n", hit.particle, hit.point.x, hit.point.y, hit.point.z,
           hit.distance);

    /* It is held where it was hit, with up to ten times its weight, as long as the button is down. */
    check(wobble_drag_def_init(&drag, sizeof drag));
    drag.point = hit.point;
    drag.radius = 0.15f;
    drag.max_force = 10.0f * 9.81f * mass;
    check(wobble_body_drag(hit.body, &drag, &hand));
    WobbleVec3 mouse = hit.point;
    for (int frame = 1; frame <= 180; frame++) {
        /* Up and to the side at half a metre a second, then still. */
        if (frame <= 120) mouse.x += 0.5f / 60.0f, mouse.y += 0.5f / 60.0f;
        check(wobble_attachment_move(hand, &mouse, NULL));
        check(wobble_world_step(world, 1.0f / 60.0f));
        check(wobble_body_centre_of_mass(left, &centre[0]));
        check(wobble_body_centre_of_mass(right, &centre[1]));
        if (frame % 30 == 0)
            printf("%4.2f s: left (%5.2f, %4.2f), right (%5.2f, %4.2f)\n", frame / 60.0, centre[0].x, centre[0].y,
                   centre[1].x, centre[1].y);
    }
    int lifted = centre[1].y > 0.7f && centre[0].x > 0.0f;

    /* The button goes up: both fall back. */
    check(wobble_attachment_destroy(hand));
    for (int frame = 0; frame < 120; frame++) check(wobble_world_step(world, 1.0f / 60.0f));
    check(wobble_body_centre_of_mass(right, &centre[1]));
    printf("let go, the right one lies at %.2f m\n", centre[1].y);
    check(wobble_world_destroy(world));
    check(wobble_shape_release(shape));
    return lifted && centre[1].y < 0.5f ? 0 : 1;
}
