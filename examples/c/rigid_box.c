/* A rigid box that the host integrates falls on a bed of jelly: soft bodies push it by what its collider reports,
 * impulse and turning impulse, and it pushes them by where it is. Prints where it is, four times a second. */
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

/* A cube as a rigid-body engine has it. All its moments of inertia are alike, so spin is turning momentum over one
 * number. */
typedef struct Box {
    WobbleCollider collider;
    float mass, inertia;
    WobbleVec3 position, velocity, spin;
    WobbleQuat rotation;
} Box;

static WobbleVec3 added(WobbleVec3 a, WobbleVec3 b, float times) {
    WobbleVec3 sum;
    sum.x = a.x + b.x * times, sum.y = a.y + b.y * times, sum.z = a.z + b.z * times;
    return sum;
}

/* Turned on by spin for a time. */
static WobbleQuat turned(WobbleQuat q, WobbleVec3 w, float time) {
    float h = 0.5f * time;
    WobbleQuat n;
    n.x = q.x + h * (w.x * q.w + w.y * q.z - w.z * q.y);
    n.y = q.y + h * (w.y * q.w + w.z * q.x - w.x * q.z);
    n.z = q.z + h * (w.z * q.w + w.x * q.y - w.y * q.x);
    n.w = q.w - h * (w.x * q.x + w.y * q.y + w.z * q.z);
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z + n.w * n.w);
    n.x /= length, n.y /= length, n.z /= length, n.w /= length;
    return n;
}

static Box make_box(WobbleWorld world, float side, float mass, WobbleVec3 position) {
    Box box = {{0}, 0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0, 1}};
    WobbleColliderDef def;
    box.mass = mass;
    box.inertia = mass * side * side / 6.0f;
    box.position = position;
    check(wobble_collider_def_init(&def, sizeof def));
    def.kind = WOBBLE_COLLIDER_BOX;
    def.half_extents.x = def.half_extents.y = def.half_extents.z = 0.5f * side;
    check(wobble_collider_create(world, &def, &box.collider));
    return box;
}

/* Steps the world with the box moving as it does, then gives the box what it took. */
static void step(WobbleWorld world, Box *box, float time) {
    const WobbleVec3 gravity = {0.0f, -9.81f, 0.0f};
    WobbleVec3 impulse, torque;
    box->velocity = added(box->velocity, gravity, time);
    check(wobble_collider_set_pose(box->collider, &box->position, &box->rotation));
    check(wobble_collider_set_velocity(box->collider, &box->velocity, &box->spin));
    check(wobble_world_step(world, time));
    check(wobble_collider_impulse(box->collider, &impulse, &torque));
    box->position = added(box->position, box->velocity, time);
    box->rotation = turned(box->rotation, box->spin, time);
    box->velocity = added(box->velocity, impulse, 1.0f / box->mass);
    box->spin = added(box->spin, torque, 1.0f / box->inertia);
}

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    WobbleSolidDef solid;
    WobbleSamplingDef sampling;
    WobbleShape shape;
    WobbleBodyDef def;
    WobbleBody bed;
    float mass;
    const WobbleVec3 start = {0.12f, 1.0f, 0.05f};

    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    check(wobble_solid_def_init(&solid, sizeof solid));
    solid.kind = WOBBLE_SOLID_BOX;
    solid.size.x = solid.size.z = 1.0f, solid.size.y = 0.4f;
    check(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 1200;
    check(wobble_shape_create_from_solid(&solid, &sampling, NULL, &shape));
    check(wobble_shape_mass(shape, &mass));
    check(wobble_body_def_init(&def, sizeof def));
    def.position.y = 0.2f;
    def.can_sleep = 0; /* asleep it would not carry the box */
    check(wobble_body_create(world, shape, &def, &bed));

    /* What a box took reaches it a step late, so steps are short: with those of a sixtieth of a second a box that may
     * turn is shaken about and thrown off. */
    Box box = make_box(world, 0.3f, 0.3f * mass, start);
    for (int i = 0; i <= 1200; i++) {
        if (i % 60 == 0)
            printf("%4.2f s: at (%6.3f, %5.3f, %6.3f) m, %5.2f m/s\n", i / 240.0, box.position.x, box.position.y,
                   box.position.z, box.velocity.y);
        step(world, &box, 1.0f / 240.0f);
    }
    check(wobble_world_destroy(world));
    check(wobble_shape_release(shape));
    /* It lies on the bed: its middle is half its side above. */
    int rests = fabsf(box.position.y - 0.55f) < 0.06f && fabsf(box.velocity.y) < 0.05f;
    printf(rests ? "it rests on the jelly\n" : "it does not rest on the jelly\n");
    return rests ? 0 : 1;
}
