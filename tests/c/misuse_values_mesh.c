/*
 * Meshes that are none, numbers out of range, constants that are none: each is refused by name.
 */
#include "mesh.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

static WobbleShape made;

static void meshes_that_are_none_are_refused(void) {
    WobbleMeshDef mesh;
    OK(wobble_mesh_def_init(&mesh, sizeof mesh));
    INVALID("positions", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.index_count = 0;
    INVALID("indices", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh.index_count = 4;
    INVALID("indices", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.index_size = 1;
    INVALID("index_size", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    long_indices[5] = VERTICES;
    mesh = sphere();
    INVALID("indices[5]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    make_sphere();
    vertices[3].position[1] = NAN;
    INVALID("positions[3]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    make_sphere();
    vertices[4].normal[1] = INFINITY;
    INVALID("normals[4]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    make_sphere();
}

static void maps_are_looked_at(void) {
    static float map[VERTICES];
    WobbleMeshDef mesh = sphere();
    map[9] = -1;
    mesh.stiffness = map;
    INVALID("stiffness[9]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.damping = map;
    INVALID("damping[9]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.pin = map;
    INVALID("pin[9]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    mesh = sphere();
    mesh.density = map;
    INVALID("density[0]", wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
}

static void sampling_is_looked_at(void) {
    WobbleMeshDef mesh = sphere();
    WobbleSamplingDef good, def;
    OK(wobble_sampling_def_init(&good, sizeof good));
#define WITH(field, value) def = good, def.field = value
    WITH(pattern, 3);
    INVALID("pattern", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(count, 3);
    INVALID("count", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(count, 0);
    INVALID("spacing", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    def.spacing = NAN;
    INVALID("spacing", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(surface, 2);
    INVALID("surface", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(fill, 7);
    INVALID("fill", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(density, -1);
    INVALID("density", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(thickness, -1);
    INVALID("thickness", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
    WITH(weld, 1);
    INVALID("weld", wobble_shape_create_from_mesh(&mesh, &def, NULL, &made));
}

static void fractions_and_missing_meshes_are_refused(void) {
    static float floats[VERTICES * 12];
    const float bad[] = {-0.1f, 1.1f, NAN, INFINITY};
    const float mirror[12] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const float endless[12] = {1, 0, 0, INFINITY, 0, 1, 0, 0, 0, 0, 1, 0};
    WobbleWorld world = calm_world();
    WobbleBody body = add_cube(world);
    WobbleSkinBuffers skin;
    WobbleMeshDef mesh = sphere();
    OK(wobble_skin_buffers_init(&skin, sizeof skin));
    skin.capacity = VERTICES;
    skin.positions = floats;
    INVALID("mesh", wobble_body_read_skin(body, &skin, NULL));
    mark(floats, sizeof floats);
    OK(wobble_body_destroy(body));
    mesh.tangents = NULL;
    OK(wobble_shape_create_from_mesh(&mesh, NULL, NULL, &made));
    OK(wobble_body_create(world, made, NULL, &body));
    for (int i = 0; i < 4; i++) {
        skin.fraction = bad[i];
        INVALID("fraction", wobble_body_read_skin(body, &skin, NULL));
        INVALID("fraction", wobble_body_bones(body, bad[i], floats, 0, 6000));
        INVALID("fraction", wobble_body_positions_at(body, bad[i], floats, 0, 6000));
    }
    skin.fraction = 1;
    skin.frame = mirror;
    INVALID("frame", wobble_body_read_skin(body, &skin, NULL));
    skin.frame = endless;
    INVALID("frame", wobble_body_read_skin(body, &skin, NULL));
    skin.frame = NULL;
    skin.tangents = floats;
    INVALID("tangents", wobble_body_read_skin(body, &skin, NULL));
    CHECK(is_untouched(floats, sizeof floats));
    OK(wobble_shape_release(made));
    OK(wobble_world_destroy(world));
}

int main(void) {
    make_sphere();
    meshes_that_are_none_are_refused();
    maps_are_looked_at();
    sampling_is_looked_at();
    fractions_and_missing_meshes_are_refused();
    return 0;
}
