/* Every function about solids, and what it does. */
#include "check.h"

static const float PI = 3.14159265f;

typedef struct Mesh {
    uint32_t vertices, indices;
    float *positions, *normals;
    uint32_t *corners;
} Mesh;

static WobbleSolidDef standard(uint32_t kind) {
    WobbleSolidDef def;
    OK(wobble_solid_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.kind == WOBBLE_SOLID_BALL && def.radius == 0.5f);
    CHECK(def.distance == NULL && def.cells == 48 && def.threads == 0);
    def.kind = kind;
    return def;
}

static Mesh mesh_of(const WobbleSolidDef *solid) {
    Mesh mesh;
    OK(wobble_solid_mesh_size(solid, &mesh.vertices, &mesh.indices));
    CHECK(mesh.vertices > 0 && mesh.indices % 3 == 0);
    mesh.positions = malloc(mesh.vertices * 3 * sizeof(float));
    mesh.normals = malloc(mesh.vertices * 3 * sizeof(float));
    mesh.corners = malloc(mesh.indices * sizeof(uint32_t));
    CHECK(mesh.positions != NULL && mesh.normals != NULL && mesh.corners != NULL);
    OK(wobble_solid_mesh(solid, mesh.positions, mesh.normals, 0, mesh.vertices, mesh.corners, mesh.indices));
    return mesh;
}

static void free_mesh(Mesh *mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->corners);
}

/* The volume that the triangles enclose, if they face outwards. */
static double volume(const Mesh *mesh) {
    double sum = 0;
    for (uint32_t i = 0; i < mesh->indices; i += 3) {
        const float *a = &mesh->positions[3 * mesh->corners[i]];
        const float *b = &mesh->positions[3 * mesh->corners[i + 1]];
        const float *c = &mesh->positions[3 * mesh->corners[i + 2]];
        sum += (double)a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
               (double)a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
               (double)a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
    }
    return sum / 6;
}

/* A shell between 0.4 and 0.5 m. */
static float shell(float x, float y, float z, void *user) {
    return fabsf(sqrtf(x * x + y * y + z * z) - *(float *)user) - 0.05f;
}

static void solids_have_meshes_of_their_volume_that_lie_on_their_surface(void) {
    static float middle = 0.45f;
    const double wanted[] = {PI / 6, 1, PI * 0.04 * (0.6 + 0.8 / 3), 2 * PI * PI * 0.5 * 0.04,
                             PI * 0.25, 0, 4.0 / 3 * PI * (0.125 - 0.064)};
    for (uint32_t kind = WOBBLE_SOLID_BALL; kind <= WOBBLE_SOLID_DISTANCE; kind++) {
        WobbleSolidDef solid = standard(kind);
        WobbleBounds bounds;
        solid.radius = kind == WOBBLE_SOLID_CAPSULE ? 0.2f : 0.5f;
        solid.distance = shell;
        solid.distance_user = &middle;
        solid.threads = 1 + kind % 2;
        if (small()) {
            solid.cells = 36;
        }
        OK(wobble_solid_bounds(&solid, &bounds));
        Mesh mesh = mesh_of(&solid);
        for (uint32_t i = 0; i < mesh.vertices; i++) {
            const float *p = &mesh.positions[3 * i], *n = &mesh.normals[3 * i];
            WobbleVec3 at = vec3(p[0], p[1], p[2]), out = vec3(p[0] + 0.03f * n[0], p[1] + 0.03f * n[1], p[2] + 0.03f * n[2]);
            float here, there;
            OK(wobble_solid_distance(&solid, &at, &here));
            OK(wobble_solid_distance(&solid, &out, &there));
            CHECK(fabsf(here) < 0.5f / (float)solid.cells && there > here);
            CHECK(p[1] > bounds.low.y - 0.01f && p[1] < bounds.high.y + 0.01f);
            NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-3);
        }
        if (wanted[kind] > 0) {
            NEAR(volume(&mesh) / wanted[kind], 1, 0.03);
        } else {
            CHECK(volume(&mesh) > 0.1 && volume(&mesh) < 0.3 && bounds.high.y > 0.99f && bounds.low.y > -0.01f);
        }
        free_mesh(&mesh);
    }
}

static void a_mesh_goes_into_the_hosts_vertices_with_or_without_normals(void) {
    struct Vertex {
        float position[3], normal[3];
        uint8_t others[8];
    } *all;
    WobbleSolidDef solid = standard(WOBBLE_SOLID_BOX);
    solid.cells = 8;
    Mesh mesh = mesh_of(&solid);
    all = malloc(mesh.vertices * sizeof *all);
    CHECK(all != NULL);
    mark(all, mesh.vertices * sizeof *all);
    OK(wobble_solid_mesh(&solid, all[0].position, NULL, sizeof *all, mesh.vertices, mesh.corners, mesh.indices));
    CHECK(is_untouched(all[0].normal, sizeof all[0].normal));
    OK(wobble_solid_mesh(&solid, all[0].position, all[0].normal, sizeof *all, mesh.vertices, mesh.corners, mesh.indices));
    for (uint32_t i = 0; i < mesh.vertices; i++) {
        CHECK(memcmp(all[i].position, &mesh.positions[3 * i], 12) == 0);
        CHECK(memcmp(all[i].normal, &mesh.normals[3 * i], 12) == 0);
        CHECK(is_untouched(all[i].others, sizeof all[i].others));
    }
    free(all);
    free_mesh(&mesh);
}

static uint32_t told;

static uint32_t tell(float fraction, void *user) {
    (void)user;
    told += fraction >= 0 && fraction <= 1;
    return told < 1000;
}

static void a_solid_becomes_a_shape_that_carries_its_mesh(void) {
    WobbleSolidDef solid = standard(WOBBLE_SOLID_GUMMY_BEAR);
    WobbleSamplingDef sampling;
    WobbleShapeDef def;
    WobbleShape shape, same;
    WobbleVec3 centre;
    WobbleMeshDef mesh_def;
    uint32_t vertices, indices, particles;
    uint64_t first = 0, second = 1;
    solid.cells = 24;
    solid.height = 0.3f;
    OK(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 300;
    OK(wobble_shape_def_init(&def, sizeof def));
    def.progress = tell;
    OK(wobble_shape_create_from_solid(&solid, &sampling, &def, &shape));
    CHECK(told > 0);
    Mesh mesh = mesh_of(&solid);
    OK(wobble_shape_vertex_count(shape, &vertices));
    OK(wobble_shape_index_count(shape, &indices));
    CHECK(vertices == mesh.vertices && indices == mesh.indices);
    OK(wobble_shape_particle_count(shape, &particles));
    CHECK(particles > 270 && particles < 330);
    OK(wobble_shape_centre(shape, &centre));
    CHECK(centre.y > 0.05f && centre.y < 0.16f);
    /* The same by way of the mesh. */
    OK(wobble_mesh_def_init(&mesh_def, sizeof mesh_def));
    mesh_def.positions = mesh.positions;
    mesh_def.normals = mesh.normals;
    mesh_def.vertex_count = mesh.vertices;
    mesh_def.indices = mesh.corners;
    mesh_def.index_count = mesh.indices;
    OK(wobble_shape_create_from_mesh(&mesh_def, &sampling, NULL, &same));
    OK(wobble_shape_fingerprint(shape, &first));
    OK(wobble_shape_fingerprint(same, &second));
    CHECK(first == second);
    free_mesh(&mesh);
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(same));
}

int main(void) {
    solids_have_meshes_of_their_volume_that_lie_on_their_surface();
    a_mesh_goes_into_the_hosts_vertices_with_or_without_normals();
    a_solid_becomes_a_shape_that_carries_its_mesh();
    return 0;
}
