/*
 * A sphere as engines have it: cut open along a meridian, its attributes interleaved with others.
 */
#ifndef WOBBLE_TESTS_MESH_H
#define WOBBLE_TESTS_MESH_H

#include "check.h"

enum { RINGS = 12, COLUMNS = 24, VERTICES = (RINGS + 1) * (COLUMNS + 1), INDICES = 6 * RINGS * COLUMNS };

/* Where the sphere of 0.5 m radius is along x. */
#define MIDDLE 2.0f

typedef struct Vertex {
    float position[3], normal[3], tangent[4];
    uint8_t others[8];
} Vertex;

static Vertex vertices[VERTICES];
static uint32_t long_indices[INDICES];
static uint16_t short_indices[INDICES];

static inline void make_sphere(void) {
    const double turn = 6.283185307179586;
    for (int i = 0; i < VERTICES; i++) {
        int ring = i / (COLUMNS + 1), column = i % (COLUMNS + 1) % COLUMNS;
        double down = 0.5 * turn * ring / RINGS, along = turn * column / COLUMNS;
        double sine = ring % RINGS == 0 ? 0.0 : sin(down);
        float normal[3] = {(float)(sine * cos(along)), (float)cos(down), (float)(sine * sin(along))};
        float tangent[4] = {(float)-sin(along), 0.0f, (float)cos(along), -1.0f};
        memcpy(vertices[i].normal, normal, sizeof normal);
        memcpy(vertices[i].tangent, tangent, sizeof tangent);
        for (int k = 0; k < 3; k++) {
            vertices[i].position[k] = 0.5f * normal[k] + (k == 0 ? MIDDLE : 0.0f);
        }
    }
    for (int i = 0; i < RINGS * COLUMNS; i++) {
        uint32_t a = (uint32_t)(i / COLUMNS * (COLUMNS + 1) + i % COLUMNS), b = a + COLUMNS + 1;
        const uint32_t corners[6] = {a, a + 1, b, b, a + 1, b + 1};
        for (int k = 0; k < 6; k++) {
            long_indices[6 * i + k] = corners[k];
            short_indices[6 * i + k] = (uint16_t)corners[k];
        }
    }
}

static inline WobbleMeshDef sphere(void) {
    WobbleMeshDef mesh;
    OK(wobble_mesh_def_init(&mesh, sizeof mesh));
    mesh.positions = vertices[0].position;
    mesh.normals = vertices[0].normal;
    mesh.tangents = vertices[0].tangent;
    mesh.positions_stride = mesh.normals_stride = mesh.tangents_stride = sizeof(Vertex);
    mesh.vertex_count = VERTICES;
    mesh.indices = long_indices;
    mesh.index_count = INDICES;
    return mesh;
}

static inline WobbleShape ball(uint32_t particles) {
    WobbleMeshDef mesh = sphere();
    WobbleSamplingDef sampling;
    WobbleShape shape;
    OK(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = particles;
    OK(wobble_shape_create_from_mesh(&mesh, &sampling, NULL, &shape));
    return shape;
}

#endif
