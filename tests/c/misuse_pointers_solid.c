/* Null and misaligned pointers, wrong sizes and small buffers for every function about solids. */
#include "check.h"

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
#define WRONG_SIZE(word, call) REFUSED(WOBBLE_STATUS_STRUCT_SIZE, word, call)
#define TOO_SMALL(word, call) REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, word, call)

enum { MOST = 3000 };

static float positions[MOST * 3 + 1];
static uint32_t indices[MOST * 6];

int main(void) {
    WobbleSolidDef solid, old;
    WobbleShape shape;
    WobbleBounds bounds;
    WobbleVec3 point = vec3(0, 0, 0);
    uint32_t vertices, corners;
    float distance;
    void *odd = (char *)positions + 2;
    NULL_POINTER("def", wobble_solid_def_init(NULL, sizeof solid));
    WRONG_SIZE("size", wobble_solid_def_init(&solid, 6));
    OK(wobble_solid_def_init(&solid, sizeof solid));
    solid.cells = 8;
    NULL_POINTER("solid", wobble_solid_distance(NULL, &point, &distance));
    NULL_POINTER("point", wobble_solid_distance(&solid, NULL, &distance));
    NULL_POINTER("out_distance", wobble_solid_distance(&solid, &point, NULL));
    NULL_POINTER("solid", wobble_solid_bounds(NULL, &bounds));
    NULL_POINTER("out_bounds", wobble_solid_bounds(&solid, NULL));
    NULL_POINTER("solid", wobble_solid_mesh_size(NULL, &vertices, &corners));
    NULL_POINTER("out_vertex_count", wobble_solid_mesh_size(&solid, NULL, &corners));
    NULL_POINTER("out_index_count", wobble_solid_mesh_size(&solid, &vertices, NULL));
    OK(wobble_solid_mesh_size(&solid, &vertices, &corners));
    CHECK(vertices <= MOST && corners <= MOST * 6);
    mark(positions, sizeof positions);
    mark(indices, sizeof indices);
    NULL_POINTER("solid", wobble_solid_mesh(NULL, positions, NULL, 0, vertices, indices, corners));
    NULL_POINTER("out_positions", wobble_solid_mesh(&solid, NULL, NULL, 0, vertices, indices, corners));
    NULL_POINTER("out_indices", wobble_solid_mesh(&solid, positions, NULL, 0, vertices, NULL, corners));
    INVALID("out_positions", wobble_solid_mesh(&solid, odd, NULL, 0, vertices, indices, corners));
    INVALID("out_normals", wobble_solid_mesh(&solid, positions, odd, 0, vertices, indices, corners));
    INVALID("stride", wobble_solid_mesh(&solid, positions, NULL, 8, vertices, indices, corners));
    TOO_SMALL("out_positions", wobble_solid_mesh(&solid, positions, NULL, 0, vertices - 1, indices, corners));
    TOO_SMALL("out_indices", wobble_solid_mesh(&solid, positions, NULL, 0, vertices, indices, corners - 1));
    NULL_POINTER("solid", wobble_shape_create_from_solid(NULL, NULL, NULL, &shape));
    NULL_POINTER("out_shape", wobble_shape_create_from_solid(&solid, NULL, NULL, NULL));
    old = solid;
    old.struct_size = 12;
    WRONG_SIZE("solid", wobble_shape_create_from_solid(&old, NULL, NULL, &shape));
    WRONG_SIZE("solid", wobble_solid_mesh(&old, positions, NULL, 0, vertices, indices, corners));
    solid.kind = WOBBLE_SOLID_DISTANCE;
    NULL_POINTER("solid.distance", wobble_solid_mesh(&solid, positions, NULL, 0, MOST, indices, corners));
    NULL_POINTER("solid.distance", wobble_solid_distance(&solid, &point, &distance));
    CHECK(is_untouched(positions, sizeof positions) && is_untouched(indices, sizeof indices));
    return 0;
}
