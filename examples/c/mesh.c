/* A mesh in, a moving mesh out: a ring of rubber falls on the ground. Prints how high it lies, and
 * writes the mesh as it is after two seconds to mesh.obj, or to the file named. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "wobble.h"

enum { AROUND = 64, ACROSS = 24, VERTICES = AROUND * ACROSS, INDICES = 6 * VERTICES };

typedef struct Vertex { /* as a game would have it */
    float position[3], normal[3];
    uint8_t colour[4];
} Vertex;

static Vertex vertices[VERTICES];
static uint16_t indices[INDICES];

static void make_ring(void) {
    const float turn = 6.2831853f, radius = 0.5f, thickness = 0.2f;
    for (int i = 0; i < VERTICES; i++) {
        float along = turn * (float)(i / ACROSS) / AROUND, across = turn * (float)(i % ACROSS) / ACROSS;
        const float normal[3] = {cosf(across) * cosf(along), sinf(across), cosf(across) * sinf(along)};
        const float middle[3] = {radius * cosf(along), 0.0f, radius * sinf(along)};
        for (int k = 0; k < 3; k++) {
            vertices[i].normal[k] = normal[k];
            vertices[i].position[k] = middle[k] + thickness * normal[k];
        }
    }
    for (int i = 0; i < VERTICES; i++) {
        int row = i / ACROSS, next_row = (row + 1) % AROUND, column = i % ACROSS, next = (column + 1) % ACROSS;
        uint16_t a = (uint16_t)i, b = (uint16_t)(row * ACROSS + next);
        uint16_t c = (uint16_t)(next_row * ACROSS + column), d = (uint16_t)(next_row * ACROSS + next);
        const uint16_t corners[6] = {a, b, c, c, b, d};
        for (int k = 0; k < 6; k++) indices[6 * i + k] = corners[k];
    }
}

static int write_obj(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return 0;
    for (const Vertex *v = vertices; v < vertices + VERTICES; v++) {
        fprintf(file, "v %g %g %g\n", v->position[0], v->position[1], v->position[2]);
        fprintf(file, "vn %g %g %g\n", v->normal[0], v->normal[1], v->normal[2]);
    }
    for (int i = 0; i < INDICES; i += 3) {
        fprintf(file, "f");
        for (int k = 0; k < 3; k++) fprintf(file, " %d//%d", indices[i + k] + 1, indices[i + k] + 1);
        fprintf(file, "\n");
    }
    return fclose(file) == 0;
}

static int failed(WobbleStatus status) {
    if (status == WOBBLE_STATUS_OK) return 0;
    fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
    return 1;
}

int main(int argc, char **argv) {
    WobbleWorld world;
    WobbleCollider ground;
    WobbleShape shape;
    WobbleBody ring;
    WobbleMeshDef mesh;
    WobbleSamplingDef sampling;
    WobbleSkinBuffers skin;
    WobbleBounds bounds = {{0, 0, 0}, {0, 0, 0}};
    WobbleVec3 above = {0.0f, 1.0f, 0.0f};
    WobbleQuat tilted = {0.38f, 0.0f, 0.0f, 0.92f};

    /* What the mesh is made of, where it lies in memory. It is copied. */
    make_ring();
    /* ANCHOR: shape */
    wobble_mesh_def_init(&mesh, sizeof mesh);
    mesh.positions = vertices[0].position;
    mesh.normals = vertices[0].normal;
    mesh.positions_stride = mesh.normals_stride = sizeof(Vertex);
    mesh.vertex_count = VERTICES;
    mesh.indices = indices;
    mesh.index_count = INDICES;
    mesh.index_size = 2;
    wobble_sampling_def_init(&sampling, sizeof sampling);
    sampling.count = 3000;
    if (failed(wobble_shape_create_from_mesh(&mesh, &sampling, NULL, &shape))) return 1;
    /* ANCHOR_END: shape */

    if (failed(wobble_world_create(NULL, &world)) || failed(wobble_collider_create(world, NULL, &ground)) ||
        failed(wobble_body_create(world, shape, NULL, &ring)) || failed(wobble_body_set_preset(ring, "rubber")) ||
        failed(wobble_body_teleport(ring, &above, &tilted)))
        return 1;

    /* ANCHOR: skin */
    /* Where the deformed mesh goes each frame: over the vertices it came from. */
    wobble_skin_buffers_init(&skin, sizeof skin);
    skin.positions = vertices[0].position;
    skin.normals = vertices[0].normal;
    skin.positions_stride = skin.normals_stride = sizeof(Vertex);
    skin.capacity = VERTICES;
    for (int frame = 1; frame <= 120; frame++) {
        if (failed(wobble_world_step(world, 1.0f / 60.0f)) || failed(wobble_body_read_skin(ring, &skin, &bounds)))
            return 1;
        if (frame % 15 == 0) printf("%4.2f s: from %5.3f to %5.3f m\n", frame / 60.0, bounds.low.y, bounds.high.y);
    }
    /* ANCHOR_END: skin */
    wobble_world_destroy(world);
    wobble_shape_release(shape);

    const char *path = argc > 1 ? argv[1] : "mesh.obj";
    if (!write_obj(path)) {
        fprintf(stderr, "%s cannot be written\n", path);
        return 1;
    }
    printf("written to %s\n", path);
    return 0;
}
