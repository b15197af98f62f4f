/*
 * Functions for meshes, given pointers that are null or misaligned, structs of the wrong size, strides and
 * counts that cannot be: each is refused by name and writes nothing.
 */
#include "mesh.h"

static WobbleWorld world;
static WobbleShape shape;
static WobbleBody body;

#define NULL_POINTER(word, call) REFUSED(WOBBLE_STATUS_NULL_POINTER, word, call)
#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)
#define WRONG_SIZE(word, call) REFUSED(WOBBLE_STATUS_STRUCT_SIZE, word, call)
#define TOO_SMALL(word, call) REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, word, call)

static uint32_t numbers[INDICES + 1];
static float floats[VERTICES * WOBBLE_INFLUENCES + 1];

static void null_pointers_are_named(void) {
    WobbleMeshDef mesh = sphere();
    WobbleShape made;
    uint32_t count;
    NULL_POINTER("def", wobble_mesh_def_init(NULL, sizeof mesh));
    NULL_POINTER("def", wobble_sampling_def_init(NULL, sizeof(WobbleSamplingDef)));
    NULL_POINTER("buffers", wobble_skin_buffers_init(NULL, sizeof(WobbleSkinBuffers)));
    NULL_POINTER("mesh", wobble_shape_create_from_mesh(NULL, NULL, NULL, &made));
    NULL_POINTER("out_shape", wobble_shape_create_from_mesh(&mesh, NULL, NULL, NULL));
    mesh.positions = NULL;
    NULL_POINTER("positions", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.indices = NULL;
    NULL_POINTER("indices", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    NULL_POINTER("out_centre", wobble_shape_centre(shape, NULL));
    NULL_POINTER("out_count", wobble_shape_vertex_count(shape, NULL));
    NULL_POINTER("out_positions", wobble_shape_vertices(shape, NULL, 0, VERTICES));
    NULL_POINTER("out_count", wobble_shape_index_count(shape, NULL));
    NULL_POINTER("out_indices", wobble_shape_indices(shape, NULL, INDICES, &count));
    NULL_POINTER("out_count", wobble_shape_indices(shape, numbers, INDICES, NULL));
    NULL_POINTER("out_clusters", wobble_shape_influences(shape, NULL, floats, VERTICES));
    NULL_POINTER("out_weights", wobble_shape_influences(shape, numbers, NULL, VERTICES));
    NULL_POINTER("buffers", wobble_body_read_skin(body, NULL, NULL));
    NULL_POINTER("bodies", wobble_world_read_skins(world, NULL, NULL, 1, NULL));
    NULL_POINTER("buffers", wobble_world_read_skins(world, &body, NULL, 1, NULL));
    NULL_POINTER("out_shape", wobble_shape_create_scaled(shape, 1, 1, 1, 0, NULL));
    NULL_POINTER("out_matrices", wobble_body_bones(body, 1, NULL, 0, 100));
    NULL_POINTER("out_positions", wobble_body_positions_at(body, 1, NULL, 0, 200));
}

static void wrong_sizes_and_small_buffers_are_named(void) {
    WobbleMeshDef mesh = sphere();
    WobbleSamplingDef sampling;
    WobbleSkinBuffers skin;
    WobbleShape made;
    uint32_t count = 0;
    WRONG_SIZE("size", wobble_mesh_def_init(&mesh, 3));
    WRONG_SIZE("size", wobble_sampling_def_init(&sampling, 0));
    WRONG_SIZE("size", wobble_skin_buffers_init(&skin, 5000));
    mesh.struct_size = 7;
    WRONG_SIZE("mesh", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    OK(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.struct_size = 1;
    mesh = sphere();
    WRONG_SIZE("sampling", wobble_shape_create_from_mesh(&mesh, &sampling, NULL, &made));
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.struct_size = 2;
    WRONG_SIZE("buffers", wobble_body_read_skin(body, &skin, NULL));
    mark(floats, sizeof floats);
    TOO_SMALL("out_positions", wobble_shape_vertices(shape, floats, 0, VERTICES - 1));
    TOO_SMALL("capacity", wobble_shape_indices(shape, numbers, INDICES - 1, &count));
    TOO_SMALL("out_clusters", wobble_shape_influences(shape, numbers, floats, VERTICES - 1));
    TOO_SMALL("out_matrices", wobble_body_bones(body, 1, floats, 0, 1));
    TOO_SMALL("out_positions", wobble_body_positions_at(body, 1, floats, 0, 1));
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.positions = floats;
    skin.capacity = VERTICES - 1;
    TOO_SMALL("capacity", wobble_body_read_skin(body, &skin, NULL));
    {
        /* The second of two is wrong: nothing is written for the first either. */
        WobbleBody both[2] = {body, body};
        WobbleSkinBuffers skins[2] = {skin, skin};
        skins[0].capacity = VERTICES;
        TOO_SMALL("capacity", wobble_world_read_skins(world, both, skins, 2, NULL));
        skins[1].struct_size = 8;
        WRONG_SIZE("struct_size", wobble_world_read_skins(world, both, skins, 2, NULL));
    }
    CHECK(is_untouched(floats, sizeof floats));
}

static void strides_and_alignment_are_looked_at(void) {
    WobbleMeshDef mesh = sphere();
    WobbleSkinBuffers skin;
    WobbleShape made;
    mesh.positions_stride = 8;
    INVALID("positions", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.tangents_stride = 14;
    INVALID("tangents", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.indices = (const char *)long_indices + 2;
    INVALID("indices", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh.indices = (const char *)short_indices + 1;
    mesh.index_size = 2;
    INVALID("indices", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.capacity = VERTICES;
    skin.normals = (float *)(void *)((char *)floats + 1);
    INVALID("normals", wobble_body_read_skin(body, &skin, NULL));
    skin.normals = floats;
    skin.frame = (const float *)(const void *)((const char *)floats + 1);
    INVALID("frame", wobble_body_read_skin(body, &skin, NULL));
    skin.frame = NULL;
    skin.normals_stride = 10;
    INVALID("normals", wobble_body_read_skin(body, &skin, NULL));
    INVALID("out_bounds", wobble_body_read_skin(body, &skin, (WobbleBounds *)(void *)((char *)floats + 2)));
    INVALID("stride", wobble_body_bones(body, 1, floats, 44, 100));
}

int main(void) {
    make_sphere();
    world = calm_world();
    shape = ball(100);
    OK(wobble_body_create(world, shape, NULL, &body));
    null_pointers_are_named();
    wrong_sizes_and_small_buffers_are_named();
    strides_and_alignment_are_looked_at();
    OK(wobble_world_destroy(world));
    OK(wobble_shape_release(shape));
    return 0;
}
