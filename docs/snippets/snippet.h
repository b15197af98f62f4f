/* What the book's programs share: a check of every call, and bodies to try things on. */
#ifndef SNIPPET_H
#define SNIPPET_H

#include <stdio.h>
#include <stdlib.h>
#include <wobble.h>

/* Ends the program with what the library says unless a call went well. */
static inline void check(WobbleStatus status) {
    if (status == WOBBLE_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
    exit(1);
}

/* Ends the program unless what the book says is so. */
static inline void expect(int truth, const char *what) {
    if (truth) return;
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
}

/* A box of 500 particles, with its half sizes in metres. */
static inline WobbleShape box_shape(float x, float y, float z) {
    WobbleSolidDef solid;
    WobbleSamplingDef sampling;
    WobbleShape shape;
    check(wobble_solid_def_init(&solid, sizeof solid));
    solid.kind = WOBBLE_SOLID_BOX;
    solid.size.x = 2.0f * x, solid.size.y = 2.0f * y, solid.size.z = 2.0f * z;
    check(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 500;
    check(wobble_shape_create_from_solid(&solid, &sampling, NULL, &shape));
    return shape;
}

/* A box with its middle at this height. */
static inline WobbleBody box(WobbleWorld world, float height, float half) {
    WobbleShape shape = box_shape(half, half, half);
    WobbleBodyDef def;
    WobbleBody body;
    check(wobble_body_def_init(&def, sizeof def));
    def.position.y = height;
    check(wobble_body_create(world, shape, &def, &body));
    check(wobble_shape_release(shape)); /* the body keeps it */
    return body;
}

static inline void run(WobbleWorld world, int frames) {
    for (int frame = 0; frame < frames; frame++) check(wobble_world_step(world, 1.0f / 60.0f));
}

/* How tall a body is, metres. */
static inline float tall(WobbleBody body) {
    WobbleBounds bounds;
    check(wobble_body_bounds(body, &bounds));
    return bounds.high.y - bounds.low.y;
}

#endif
