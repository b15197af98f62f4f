/*
 * From a mesh to a body and back: what each function does.
 */
#include "mesh.h"

static void a_mesh_becomes_particles_and_comes_back_where_it_was(void) {
    WobbleShape shape = ball(300);
    WobbleVec3 centre;
    uint32_t count = 0, particles = 0, index_count = 0;
    OK(wobble_shape_vertex_count(shape, &count));
    CHECK(count == VERTICES);
    OK(wobble_shape_particle_count(shape, &particles));
    CHECK(particles > 270 && particles < 330);
    OK(wobble_shape_centre(shape, &centre));
    NEAR(centre.x, MIDDLE, 0.01);
    NEAR(centre.y, 0, 0.01);
    float rest[VERTICES][3];
    OK(wobble_shape_vertices(shape, rest[0], 0, VERTICES));
    for (int i = 0; i < VERTICES; i++) {
        NEAR(rest[i][0], vertices[i].position[0] - centre.x, 1e-6);
    }
    OK(wobble_shape_index_count(shape, &index_count));
    CHECK(index_count == INDICES);
    uint32_t found[INDICES];
    OK(wobble_shape_indices(shape, found, INDICES, &index_count));
    CHECK(index_count == INDICES && found[7] == long_indices[7]);
    float mass = 0;
    OK(wobble_shape_mass(shape, &mass));
    NEAR(mass, 1000.0 * 4.0 / 3.0 * 3.14159 * 0.125, 60);
    OK(wobble_shape_release(shape));
}

static void definitions_begin_with_their_defaults(void) {
    WobbleMeshDef mesh;
    WobbleSamplingDef sampling;
    OK(wobble_mesh_def_init(&mesh, sizeof mesh));
    CHECK(mesh.struct_size == sizeof mesh && mesh.index_size == 4 && mesh.positions == NULL && mesh.pin == NULL);
    OK(wobble_sampling_def_init(&sampling, sizeof sampling));
    CHECK(sampling.pattern == WOBBLE_PATTERN_BLUE_NOISE && sampling.count == 5000 && sampling.density == 1000);
}

static void short_and_long_indices_and_strides_give_the_same_shape(void) {
    WobbleMeshDef mesh = sphere();
    WobbleSamplingDef sampling;
    WobbleShape a = ball(100), b;
    uint64_t first = 0, second = 1;
    mesh.indices = short_indices;
    mesh.index_size = 2;
    OK(wobble_sampling_def_init(&sampling, sizeof sampling));
    sampling.count = 100;
    OK(wobble_shape_create_from_mesh(&mesh, &sampling, NULL, &b));
    OK(wobble_shape_fingerprint(a, &first));
    OK(wobble_shape_fingerprint(b, &second));
    CHECK(first == second);
    OK(wobble_shape_release(a));
    OK(wobble_shape_release(b));
}

static void the_deformed_mesh_goes_into_the_hosts_vertices(void) {
    WobbleWorld world = calm_world();
    WobbleShape shape = ball(300);
    WobbleBody body;
    WobbleSkinBuffers skin;
    WobbleBounds bounds;
    WobbleVec3 centre, to = vec3(3, 4, 5);
    const float node[12] = {0.5f, 0, 0, -1.5f, 0, 0.5f, 0, -2, 0, 0, 0.5f, -2.5f};
    static Vertex out[VERTICES];
    static float previous[VERTICES][3];
    mark(out, sizeof out);
    OK(wobble_shape_centre(shape, &centre));
    OK(wobble_body_create(world, shape, NULL, &body));
    OK(wobble_body_teleport(body, &to, NULL));
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    CHECK(skin.fraction == 1.0f && skin.positions == NULL);
    skin.capacity = VERTICES;
    skin.positions = out[0].position;
    skin.normals = out[0].normal;
    skin.tangents = out[0].tangent;
    skin.previous = previous[0];
    skin.positions_stride = skin.normals_stride = skin.tangents_stride = sizeof(Vertex);
    OK(wobble_body_read_skin(body, &skin, &bounds));
    for (int i = 0; i < VERTICES; i++) {
        NEAR(out[i].position[0], vertices[i].position[0] - centre.x + 3, 2e-6);
        NEAR(out[i].position[1], vertices[i].position[1] - centre.y + 4, 2e-6);
        NEAR(out[i].normal[2], vertices[i].normal[2], 1e-4);
        NEAR(out[i].tangent[3], -1, 0);
        NEAR(previous[i][2], out[i].position[2], 1e-6);
        CHECK(is_untouched(out[i].others, sizeof out[i].others));
    }
    NEAR(bounds.low.y, 4 - centre.y - 0.5, 1e-3);
    NEAR(bounds.high.y, 4 - centre.y + 0.5, 1e-3);
    OK(wobble_body_read_skin(body, &skin, NULL));
    /* In the space of a node at (3, 4, 5), twice as large as the world. */
    skin.frame = node;
    OK(wobble_body_read_skin(body, &skin, &bounds));
    NEAR(out[5].position[1], (vertices[5].position[1] - centre.y) / 2, 2e-6);
    NEAR(out[5].normal[1], vertices[5].normal[1], 1e-4);
    NEAR(previous[5][0], out[5].position[0], 1e-6);
    NEAR(bounds.high.y, (0.5 - centre.y) / 2, 1e-3);
    skin.frame = NULL;
    /* Half a step of 1 m/s for 0.1 s. */
    OK(wobble_body_set_velocity(body, 1, 0, 0));
    OK(wobble_world_step(world, 0.1f));
    skin.fraction = 0.5f;
    OK(wobble_body_read_skin(body, &skin, &bounds));
    NEAR(out[5].position[0], vertices[5].position[0] - centre.x + 3.05, 1e-4);
    NEAR(previous[5][0], vertices[5].position[0] - centre.x + 3, 1e-4);
    /* While a step runs in the background the state before it is read. */
    OK(wobble_world_step_begin(world, 0.1f));
    skin.fraction = 1.0f;
    OK(wobble_body_read_skin(body, &skin, &bounds));
    NEAR(out[5].position[0], vertices[5].position[0] - centre.x + 3.1, 1e-4);
    OK(wobble_world_step_wait(world));
    OK(wobble_world_destroy(world));
    OK(wobble_shape_release(shape));
}

static void a_host_can_skin_by_the_exported_matrices(void) {
    WobbleWorld world = calm_world();
    WobbleShape shape = ball(300);
    WobbleBody body;
    WobbleLevelReport report;
    WobbleSkinBuffers skin;
    static uint32_t clusters[VERTICES][WOBBLE_INFLUENCES];
    static float weights[VERTICES][WOBBLE_INFLUENCES], bones[300][3][4], rest[VERTICES][3], out[VERTICES][3];
    OK(wobble_body_create(world, shape, NULL, &body));
    OK(wobble_body_set_velocity_of(body, 3, 40, 0, 0));
    OK(wobble_world_step(world, 0.02f));
    report.struct_size = sizeof report;
    OK(wobble_shape_level_report(shape, 0, &report));
    OK(wobble_shape_influences(shape, clusters[0], weights[0], VERTICES));
    OK(wobble_shape_vertices(shape, rest[0], 0, VERTICES));
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.capacity = VERTICES;
    skin.positions = out[0];
    skin.fraction = 0.75f;
    OK(wobble_body_read_skin(body, &skin, NULL));
    OK(wobble_body_bones(body, 0.75f, bones[0][0], 0, 300));
    for (int i = 0; i < VERTICES; i++) {
        double at[3] = {0, 0, 0}, sum = 0;
        for (uint32_t k = 0; k < WOBBLE_INFLUENCES; k++) {
            CHECK(clusters[i][k] < report.clusters);
            sum += weights[i][k];
            for (int row = 0; row < 3; row++) {
                const float *m = bones[clusters[i][k]][row];
                at[row] += weights[i][k] * ((double)m[0] * rest[i][0] + (double)m[1] * rest[i][1] +
                                            (double)m[2] * rest[i][2] + m[3]);
            }
        }
        NEAR(sum, 1, 1e-6);
        for (int row = 0; row < 3; row++) {
            NEAR(at[row], out[i][row], 1e-5);
        }
    }
    OK(wobble_world_destroy(world));
    OK(wobble_shape_release(shape));
}

static void particles_are_read_between_two_steps(void) {
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    float at[COUNT][3];
    OK(wobble_body_set_velocity(body, 2, 0, 0));
    OK(wobble_world_step(world, 0.5f));
    OK(wobble_body_positions_at(body, 0.25f, at[0], 0, COUNT));
    NEAR(at[7][0], cube_points()[21] + 0.25, 1e-5);
    OK(wobble_body_positions_at(body, 1.0f, at[0], 0, COUNT));
    CHECK(at[7][0] == position_of(body, 7).x);
    OK(wobble_world_destroy(world));
}

static void a_saved_shape_keeps_its_mesh(void) {
    WobbleShape shape = ball(100), loaded;
    uint32_t size = 0, count = 0;
    OK(wobble_shape_save_size(shape, &size));
    uint8_t *bytes = malloc(size);
    CHECK(bytes != NULL);
    OK(wobble_shape_save(shape, bytes, size, &size));
    OK(wobble_shape_load(bytes, size, &loaded));
    OK(wobble_shape_vertex_count(loaded, &count));
    CHECK(count == VERTICES);
    free(bytes);
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(loaded));
}

static void a_shape_of_points_has_no_mesh(void) {
    WobbleShape shape = cube();
    uint32_t count = 1;
    OK(wobble_shape_vertex_count(shape, &count));
    CHECK(count == 0);
    OK(wobble_shape_index_count(shape, &count));
    CHECK(count == 0);
    OK(wobble_shape_release(shape));
}

static void many_meshes_are_read_at_once(void) {
    enum { BODIES = 5 };
    WobbleWorld world = calm_world();
    WobbleShape shape = ball(100);
    WobbleBody bodies[BODIES];
    WobbleSkinBuffers skins[BODIES];
    WobbleBounds bounds[BODIES], alone;
    static float each[BODIES][VERTICES][3], one[VERTICES][3];
    OK(wobble_world_set_threads(world, 2));
    for (int i = 0; i < BODIES; i++) {
        WobbleVec3 at = vec3(3.0f * (float)i, 0, 0);
        OK(wobble_body_create(world, shape, NULL, &bodies[i]));
        OK(wobble_body_teleport(bodies[i], &at, NULL));
        OK(wobble_skin_buffers_init(&skins[i], sizeof skins[i]));
        skins[i].positions = each[i][0];
        skins[i].capacity = VERTICES;
    }
    for (uint32_t background = 0; background <= 1; background++) {
        mark(each, sizeof each);
        if (background) {
            OK(wobble_world_step_begin(world, 0.01f));
        }
        OK(wobble_world_read_skins(world, bodies, skins, BODIES, bounds));
        for (int i = 0; i < BODIES; i++) {
            WobbleSkinBuffers skin = skins[i];
            skin.positions = one[0];
            OK(wobble_body_read_skin(bodies[i], &skin, &alone));
            CHECK(memcmp(each[i], one, sizeof one) == 0 && memcmp(&bounds[i], &alone, sizeof alone) == 0);
        }
        OK(wobble_world_step_wait(world));
    }
    OK(wobble_world_read_skins(world, bodies, skins, 2, NULL));
    OK(wobble_world_read_skins(world, NULL, NULL, 0, NULL));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
}

int main(void) {
    make_sphere();
    definitions_begin_with_their_defaults();
    a_mesh_becomes_particles_and_comes_back_where_it_was();
    short_and_long_indices_and_strides_give_the_same_shape();
    the_deformed_mesh_goes_into_the_hosts_vertices();
    many_meshes_are_read_at_once();
    a_host_can_skin_by_the_exported_matrices();
    particles_are_read_between_two_steps();
    a_saved_shape_keeps_its_mesh();
    a_shape_of_points_has_no_mesh();
    return 0;
}
