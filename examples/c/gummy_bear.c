/* A gummy bear falls on the ground: a solid in, a moving mesh out. Prints how high it stands, and writes the
 * mesh as it is after two seconds to gummy_bear.obj, or to the file named. */
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

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) exit(1);
    return memory;
}

static int write_obj(const char *path, float (*positions)[3], uint32_t vertices, const uint32_t *corners, uint32_t indices) {
    FILE *file = fopen(path, "w");
    if (!file) return 0;
    for (uint32_t i = 0; i < vertices; i++)
        fprintf(file, "v %g %g %g\n", positions[i][0], positions[i][1], positions[i][2]);
    for (uint32_t i = 0; i < indices; i += 3)
        fprintf(file, "f %u %u %u\n", corners[i] + 1, corners[i + 1] + 1, corners[i + 2] + 1);
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    WobbleWorld world;
    WobbleCollider ground;
    WobbleSolidDef solid;
    WobbleSamplingDef sampling;
    WobbleShape shape;
    WobbleBody bear;
    WobbleSkinBuffers skin;
    WobbleBounds bounds = {{0, 0, 0}, {0, 0, 0}};
    WobbleVec3 above = {0.0f, 0.6f, 0.0f};
    WobbleQuat tilted = {0.2f, 0.0f, 0.1f, 0.97f};
    uint32_t vertices, indices;

    /* 0.3 m high, its surface found on a grid of 48 cells, filled with 2000 particles. */
    check(wobble_solid_def_init(&solid, sizeof solid));
    solid.kind = WOBBLE_SOLID_GUMMY_BEAR;
    solid.height = 0.3f;
    solid.cells = 48;
    check(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 2000;
    check(wobble_shape_create_from_solid(&solid, &sampling, NULL, &shape));

    /* Bodies carry the surface. */
    check(wobble_shape_vertex_count(shape, &vertices));
    check(wobble_shape_index_count(shape, &indices));
    float(*positions)[3] = allocate(vertices * sizeof *positions);
    uint32_t *corners = allocate(indices * sizeof *corners);
    check(wobble_shape_indices(shape, corners, indices, &indices));
    printf("%u vertices, %u triangles\n", vertices, indices / 3);

    check(wobble_world_create(NULL, &world));
    check(wobble_collider_create(world, NULL, &ground));
    check(wobble_body_create(world, shape, NULL, &bear));
    check(wobble_body_set_preset(bear, "gummy"));
    check(wobble_body_teleport(bear, &above, &tilted));

    check(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.positions = positions[0];
    skin.capacity = vertices;
    for (int frame = 1; frame <= 120; frame++) {
        check(wobble_world_step(world, 1.0f / 60.0f));
        check(wobble_body_read_skin(bear, &skin, &bounds));
        if (frame % 15 == 0) printf("%4.2f s: from %6.3f to %5.3f m\n", frame / 60.0, bounds.low.y, bounds.high.y);
    }
    const char *path = argc > 1 ? argv[1] : "gummy_bear.obj";
    int written = write_obj(path, positions, vertices, corners, indices);
    if (written) printf("written to %s\n", path);
    free(positions);
    free(corners);
    check(wobble_world_destroy(world));
    check(wobble_shape_release(shape));
    /* It lies or stands on the ground, and is as large as it was, more or less. */
    return written && bounds.low.y > -0.02f && bounds.low.y < 0.05f && bounds.high.y < 0.35f ? 0 : 1;
}
