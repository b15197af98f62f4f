/*
 * What the C tests share: checks that say where they failed, a cube to play with, and memory
 * that shows whether it was written to.
 */
#ifndef WOBBLE_TESTS_CHECK_H
#define WOBBLE_TESTS_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wobble.h"

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define OK(call) check_status((call), WOBBLE_STATUS_OK, #call, __FILE__, __LINE__)
/* The call is refused with this status, and the sentence holds this word. */
#define REFUSED(status, word, call) check_refused((call), (status), (word), #call, __FILE__, __LINE__)
#define NEAR(a, b, tolerance) check_near((a), (b), (tolerance), #a, __FILE__, __LINE__)

static inline void fail(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(1);
}

static inline void check(int holds, const char *text, const char *file, int line) {
    if (!holds) {
        fail(text, file, line);
    }
}

static inline void check_status(WobbleStatus got, WobbleStatus wanted, const char *text, const char *file, int line) {
    if (got != wanted) {
        fprintf(stderr, "%s gave %s, not %s", text, wobble_status_name(got), wobble_status_name(wanted));
        fail(got == WOBBLE_STATUS_OK ? "" : wobble_last_error(), file, line);
    }
}

static inline void check_refused(WobbleStatus got, WobbleStatus wanted, const char *word, const char *text,
                                 const char *file, int line) {
    check_status(got, wanted, text, file, line);
    if (strstr(wobble_last_error(), word) == NULL || strchr(wobble_last_error(), ' ') == NULL) {
        fprintf(stderr, "%s says \"%s\", which is no sentence about \"%s\"", text, wobble_last_error(), word);
        fail("", file, line);
    }
}

static inline void check_near(double a, double b, double tolerance, const char *text, const char *file, int line) {
    if (!(fabs(a - b) <= tolerance)) {
        fprintf(stderr, "%s is %g; it should be %g, give or take %g", text, a, b, tolerance);
        fail("", file, line);
    }
}

/* Whether to do less: a tool that slows everything down is at work. */
static inline int small(void) {
    return getenv("WOBBLE_TEST_SMALL") != NULL;
}

enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE };

/* The points of a cube of 1 m, SIDE points to an edge, x first, about its middle. The first call
 * must not be made from several threads at once. */
static inline const float *cube_points(void) {
    static float points[COUNT * 3];
    static int filled;
    for (int i = 0; i < COUNT && !filled; i++) {
        points[3 * i] = (float)(i % SIDE) / (SIDE - 1) - 0.5f;
        points[3 * i + 1] = (float)(i / SIDE % SIDE) / (SIDE - 1) - 0.5f;
        points[3 * i + 2] = (float)(i / (SIDE * SIDE)) / (SIDE - 1) - 0.5f;
    }
    filled = 1;
    return points;
}

static inline WobbleShape cube(void) {
    WobbleShape shape;
    OK(wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, NULL, &shape));
    return shape;
}

/* A world without gravity that steps on one thread. */
static inline WobbleWorld calm_world(void) {
    WobbleWorld world;
    WobbleWorldDef def;
    OK(wobble_world_def_init(&def, sizeof def));
    def.threads = 1;
    def.gravity.y = 0.0f;
    OK(wobble_world_create(&def, &world));
    return world;
}

static inline WobbleBody add_cube(WobbleWorld world) {
    WobbleBody body;
    WobbleShape shape = cube();
    OK(wobble_body_create(world, shape, NULL, &body));
    OK(wobble_shape_release(shape));
    return body;
}

static inline uint64_t hash_of(WobbleWorld world) {
    uint64_t hash = 0;
    OK(wobble_world_state_hash(world, &hash));
    return hash;
}

static inline WobbleVec3 centre_of(WobbleBody body) {
    WobbleVec3 centre = {0, 0, 0};
    OK(wobble_body_centre_of_mass(body, &centre));
    return centre;
}

static inline WobbleVec3 position_of(WobbleBody body, uint32_t particle) {
    static float positions[COUNT * 3];
    WobbleVec3 found;
    OK(wobble_body_positions(body, positions, 0, COUNT));
    memcpy(&found, &positions[3 * particle], sizeof found);
    return found;
}

static inline WobbleVec3 velocity_of(WobbleBody body, uint32_t particle) {
    static float velocities[COUNT * 3];
    WobbleVec3 found;
    OK(wobble_body_velocities(body, velocities, 0, COUNT));
    memcpy(&found, &velocities[3 * particle], sizeof found);
    return found;
}

static inline WobbleVec3 vec3(float x, float y, float z) {
    WobbleVec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* Memory that shows writes. */
#define PATTERN 0xa5

static inline void mark(void *memory, size_t size) {
    memset(memory, PATTERN, size);
}

static inline int is_untouched(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != PATTERN) {
            return 0;
        }
    }
    return 1;
}

#endif
