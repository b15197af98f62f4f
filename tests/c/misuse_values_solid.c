/* Solids that cannot be, and distance functions that mislead: each is refused by name or comes to no harm. */
#include "check.h"

#define INVALID(word, call) REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, word, call)

static WobbleSolidDef good;
static uint32_t vertices, indices;

static WobbleSolidDef of_kind(uint32_t kind) {
    WobbleSolidDef def = good;
    def.kind = kind;
    return def;
}

static void numbers_out_of_range_are_named(void) {
    const float bad[] = {-1, 0, NAN, INFINITY, 2e9f};
    WobbleSolidDef def;
    for (int i = 0; i < 5; i++) {
        def = of_kind(WOBBLE_SOLID_BALL);
        def.radius = bad[i];
        INVALID("radius", wobble_solid_mesh_size(&def, &vertices, &indices));
        def = of_kind(WOBBLE_SOLID_BOX);
        def.size.y = bad[i];
        INVALID("size", wobble_solid_mesh_size(&def, &vertices, &indices));
        def = of_kind(WOBBLE_SOLID_CAPSULE);
        def.height = bad[i];
        INVALID("height", wobble_solid_mesh_size(&def, &vertices, &indices));
        def = of_kind(WOBBLE_SOLID_TORUS);
        def.tube = bad[i];
        INVALID("tube", wobble_solid_mesh_size(&def, &vertices, &indices));
        def = of_kind(WOBBLE_SOLID_CYLINDER);
        def.height = bad[i];
        INVALID("height", wobble_solid_mesh_size(&def, &vertices, &indices));
        def = of_kind(WOBBLE_SOLID_GUMMY_BEAR);
        def.height = bad[i];
        INVALID("height", wobble_solid_mesh_size(&def, &vertices, &indices));
    }
    def = of_kind(7);
    INVALID("kind", wobble_solid_mesh_size(&def, &vertices, &indices));
    def = of_kind(WOBBLE_SOLID_BALL);
    def.cells = 3;
    INVALID("cells", wobble_solid_mesh_size(&def, &vertices, &indices));
    def.cells = UINT32_MAX;
    INVALID("cells", wobble_solid_mesh_size(&def, &vertices, &indices));
    def = of_kind(WOBBLE_SOLID_BALL);
    def.threads = small() ? 4 : UINT32_MAX;
    OK(wobble_solid_mesh_size(&def, &vertices, &indices));
}

static float constant(float x, float y, float z, void *user) {
    (void)x, (void)y, (void)z;
    return *(float *)user;
}

/* As rough as can be: every node of the grid may be inside or outside. */
static float noise(float x, float y, float z, void *user) {
    uint32_t bits[3];
    float at[3];
    at[0] = x, at[1] = y, at[2] = z;
    memcpy(bits, at, sizeof bits);
    uint32_t hash = (bits[0] * 0x9e3779b1u ^ bits[1] * 0x85ebca77u ^ bits[2] * 0xc2b2ae3du) * 0x27d4eb2fu;
    return *(float *)user * (float)(int32_t)hash;
}

/* A ball, but not a number near its surface. */
static float holed(float x, float y, float z, void *user) {
    float distance = sqrtf(x * x + y * y + z * z) - 0.4f;
    return fabsf(distance) < *(float *)user ? NAN : distance;
}

static void functions_that_mislead_do_no_harm(void) {
    const float nothing[] = {1, INFINITY, 0}, all[] = {-1, -INFINITY}, scales[] = {1e-9f, 1e30f, 1e-44f};
    float value = NAN;
    WobbleSolidDef def = of_kind(WOBBLE_SOLID_DISTANCE);
    WobbleShape shape;
    def.distance = constant;
    def.distance_user = &value;
    INVALID("not a number", wobble_solid_mesh_size(&def, &vertices, &indices));
    INVALID("not a number", wobble_shape_create_from_solid(&def, NULL, NULL, &shape));
    for (int i = 0; i < 3; i++) {
        value = nothing[i];
        INVALID("inside", wobble_solid_mesh_size(&def, &vertices, &indices));
    }
    for (int i = 0; i < 2; i++) {
        value = all[i];
        OK(wobble_solid_mesh_size(&def, &vertices, &indices));
    }
    def.distance = noise;
    for (int i = 0; i < (small() ? 1 : 3); i++) {
        WobbleSamplingDef sampling;
        value = scales[i];
        OK(wobble_solid_mesh_size(&def, &vertices, &indices));
        OK(wobble_sampling_def_init(&sampling, sizeof sampling));
        sampling.count = 100;
        WobbleStatus status = wobble_shape_create_from_solid(&def, &sampling, NULL, &shape);
        CHECK(status == WOBBLE_STATUS_OK || status == WOBBLE_STATUS_INVALID_ARGUMENT);
        if (status == WOBBLE_STATUS_OK) {
            OK(wobble_shape_release(shape));
        }
    }
    /* Thin enough to miss the nodes of the grid, and met on the way to the surface. */
    def.distance = holed;
    value = 1e-4f;
    OK(wobble_solid_mesh_size(&def, &vertices, &indices));
    static float positions[30000], normals[30000];
    static uint32_t corners[60000];
    CHECK(vertices <= 10000 && indices <= 60000);
    OK(wobble_solid_mesh(&def, positions, normals, 0, 10000, corners, 60000));
    for (uint32_t i = 0; i < 3 * vertices; i++) {
        CHECK(isfinite(positions[i]) && isfinite(normals[i]));
    }
    def.low = def.high;
    INVALID("high - low", wobble_solid_mesh_size(&def, &vertices, &indices));
    def.low.x = NAN;
    INVALID("low", wobble_solid_mesh_size(&def, &vertices, &indices));
}

int main(void) {
    WobbleVec3 nowhere = vec3(0, INFINITY, 0);
    WobbleBounds bounds;
    float distance;
    OK(wobble_solid_def_init(&good, sizeof good));
    good.cells = 10;
    numbers_out_of_range_are_named();
    functions_that_mislead_do_no_harm();
    INVALID("point", wobble_solid_distance(&good, &nowhere, &distance));
    good.radius = -1;
    INVALID("radius", wobble_solid_bounds(&good, &bounds));
    return 0;
}
