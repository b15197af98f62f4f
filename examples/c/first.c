/* A ball of points falls on the ground. Prints how high it is, four times a second. */
#include <stdio.h>
#include <stdlib.h>

#include "wobble.h"

enum { SIDE = 13, MOST = SIDE * SIDE * SIDE };

static float points[MOST][3], positions[MOST][3];

static void check(WobbleStatus status) {
    if (status != WOBBLE_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
        exit(1);
    }
}

/* The points of a grid that lie in a ball of 0.5 m radius. */
static uint32_t ball(void) {
    uint32_t count = 0;
    for (int i = 0; i < MOST; i++) {
        float x = (float)(i % SIDE) / (SIDE - 1) - 0.5f;
        float y = (float)(i / SIDE % SIDE) / (SIDE - 1) - 0.5f;
        float z = (float)(i / SIDE / SIDE) / (SIDE - 1) - 0.5f;
        if (x * x + y * y + z * z > 0.25f) continue;
        points[count][0] = x, points[count][1] = y, points[count][2] = z;
        count++;
    }
    return count;
}

int main(void) {
    WobbleWorld world;
    WobbleShape shape;
    WobbleCollider ground;
    WobbleBody body;
    WobbleBodyDef def;
    uint32_t count = ball();
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    check(wobble_shape_create_from_points(points[0], count, 0, NULL, 0, NULL, &shape));
    check(wobble_body_def_init(&def, sizeof def));
    def.position.y = 2.0f;
    check(wobble_body_create(world, shape, &def, &body));

    for (int frame = 0; frame <= 120; frame++) {
        float low = 1e9f, high = -1e9f;
        check(wobble_body_positions(body, positions[0], 0, count));
        for (uint32_t i = 0; i < count; i++) {
            if (positions[i][1] < low) low = positions[i][1];
            if (positions[i][1] > high) high = positions[i][1];
        }
        if (frame % 15 == 0) printf("%4.2f s: from %5.3f to %5.3f m\n", frame / 60.0, low, high);
        check(wobble_world_step(world, 1.0f / 60.0f));
    }
    check(wobble_shape_release(shape));
    check(wobble_world_destroy(world));
    return 0;
}
