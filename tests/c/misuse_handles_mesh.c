/*
 * Functions for meshes, given handles that are null, stale, of another kind or made up: each call is
 * refused with the right code and writes nothing.
 */
#include "mesh.h"

static union {
    float floats[VERTICES * WOBBLE_INFLUENCES];
    uint32_t numbers[INDICES];
    WobbleVec3 vector;
    WobbleBounds bounds;
    WobbleShape shape;
} out;
static uint32_t clusters[VERTICES * WOBBLE_INFLUENCES], out_count;
static WobbleSkinBuffers skin;
static WobbleWorld here;

static WobbleStatus call_shape(int which, WobbleShape s) {
    switch (which) {
    case 0: return wobble_shape_centre(s, &out.vector);
    case 1: return wobble_shape_vertex_count(s, out.numbers);
    case 2: return wobble_shape_vertices(s, out.floats, 0, VERTICES);
    case 3: return wobble_shape_index_count(s, out.numbers);
    case 4: return wobble_shape_indices(s, out.numbers, INDICES, &out_count);
    case 5: return wobble_shape_influences(s, clusters, out.floats, VERTICES);
    case 6: return wobble_shape_create_scaled(s, 1, 1, 1, 0, &out.shape);
    default: return -1;
    }
}

static WobbleStatus call_body(int which, WobbleBody b) {
    switch (which) {
    case 0: return wobble_body_read_skin(b, &skin, &out.bounds);
    case 1: return wobble_body_bones(b, 1, out.floats, 0, 100);
    case 2: return wobble_body_positions_at(b, 1, out.floats, 0, 200);
    case 3: return wobble_world_read_skins(here, &b, &skin, 1, &out.bounds);
    default: return -1;
    }
}

/* The code that a handle with these bits must get. */
static void bits_are_refused(uint64_t bits, WobbleStatus status, const char *word) {
    WobbleShape shape;
    WobbleBody body;
    shape.bits = body.bits = bits;
    mark(&out, sizeof out);
    mark(clusters, sizeof clusters);
    for (int which = 0; which < 7; which++) {
        REFUSED(status, word, call_shape(which, shape));
    }
    for (int which = 0; which < 4; which++) {
        REFUSED(status, word, call_body(which, body));
    }
    CHECK(call_shape(7, shape) == -1 && call_body(4, body) == -1);
    CHECK(is_untouched(&out, sizeof out) && is_untouched(clusters, sizeof clusters));
}

int main(void) {
    make_sphere();
    WobbleWorld world = calm_world();
    WobbleShape shape = ball(100);
    WobbleBody body;
    here = world;
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.capacity = VERTICES;
    skin.positions = out.floats;
    OK(wobble_body_create(world, shape, NULL, &body));
    bits_are_refused(0, WOBBLE_STATUS_NULL_HANDLE, "null");
    bits_are_refused(world.bits, WOBBLE_STATUS_INVALID_HANDLE, "handle");
    bits_are_refused(~(uint64_t)0, WOBBLE_STATUS_INVALID_HANDLE, "handle");
    OK(wobble_body_destroy(body));
    OK(wobble_shape_release(shape));
    mark(&out, sizeof out);
    for (int which = 0; which < 7; which++) {
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "shape", call_shape(which, shape));
    }
    for (int which = 0; which < 4; which++) {
        REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", call_body(which, body));
    }
    CHECK(is_untouched(&out, sizeof out));
    OK(wobble_world_destroy(world));
    return 0;
}
