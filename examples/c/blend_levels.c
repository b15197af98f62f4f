/* Blends level weights live: a ball lies on the ground while its weights go from the finest level
 * alone to the coarsest alone and back, a little in every frame. Fine levels let it sag; coarse
 * ones make it round again. Prints how far it is from its shape as a graph. */
#include <stdio.h>
#include <stdlib.h>

#include "wobble.h"

enum { SIDE = 15, MOST = SIDE * SIDE * SIDE, MOST_LEVELS = 16, FRAMES = 60 * 8 };

static void check(WobbleStatus status) {
    if (status != WOBBLE_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
        exit(1);
    }
}

/* A soft ball of 0.5 m radius, just above the ground. */
static WobbleBody make_ball(WobbleWorld world) {
    static float points[MOST][3];
    WobbleShape shape;
    WobbleBody ball;
    WobbleBodyDef def;
    WobbleMaterial material;
    uint32_t count = 0;
    for (int i = 0; i < MOST; i++) {
        float x = (float)(i % SIDE) / (SIDE - 1) - 0.5f;
        float y = (float)(i / SIDE % SIDE) / (SIDE - 1) - 0.5f;
        float z = (float)(i / SIDE / SIDE) / (SIDE - 1) - 0.5f;
        if (x * x + y * y + z * z > 0.25f) continue;
        points[count][0] = x, points[count][1] = y, points[count][2] = z;
        count++;
    }
    check(wobble_shape_create_from_points(points[0], count, 0, NULL, 0, NULL, &shape));
    check(wobble_material_init(&material, sizeof material));
    material.stiffness = 8.0f;
    material.damping = 20.0f;
    check(wobble_body_def_init(&def, sizeof def));
    def.position.y = 0.52f;
    def.material = &material;
    check(wobble_body_create(world, shape, &def, &ball));
    check(wobble_shape_release(shape)); /* the body keeps it */
    return ball;
}

/* Shares the weight between the two levels next to `place`: 0 the finest, 1 the coarsest. */
static void blend(WobbleBody body, uint32_t levels, float place) {
    float weights[MOST_LEVELS] = {0.0f}, at = place * (float)(levels - 1);
    uint32_t below = (uint32_t)at < levels - 1 ? (uint32_t)at : levels - 1;
    weights[below] = 1.0f - (at - (float)below);
    if (below + 1 < levels) weights[below + 1] = at - (float)below;
    check(wobble_body_set_level_weights(body, weights, levels));
}

int main(void) {
    WobbleWorld world;
    WobbleCollider ground;
    uint32_t levels;
    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    WobbleBody ball = make_ball(world);
    check(wobble_body_level_count(ball, &levels));
    if (levels > MOST_LEVELS) return 1;

    printf("time (s)  fine to coarse  height (m)  shape error\n");
    for (int frame = 0; frame <= FRAMES; frame++) {
        float half = (float)frame / (FRAMES / 2), back = half < 1.0f ? half : 2.0f - half;
        blend(ball, levels, back * back);
        check(wobble_world_step(world, 1.0f / 60.0f));
        if (frame % 12 != 0) continue;
        float error;
        WobbleBounds bounds;
        check(wobble_body_shape_error(ball, &error));
        check(wobble_body_bounds(ball, &bounds));
        float tall = bounds.high.y - bounds.low.y;
        printf("%8.1f  %14.2f  %10.2f  %11.3f ", frame / 60.0, back * back, tall, error);
        for (int i = 0; i < (int)(error * 150.0f + 0.5f); i++) putchar('#');
        putchar('\n');
    }
    check(wobble_world_destroy(world));
    return 0;
}
