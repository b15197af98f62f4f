/* Every function about shapes and materials, and what it does. Saving has save.c. */
#include "check.h"

static void a_definition_is_filled_with_the_defaults(void) {
    WobbleShapeDef def;
    mark(&def, sizeof def);
    OK(wobble_shape_def_init(&def, sizeof def));
    CHECK(def.struct_size == sizeof def && def.algorithm == WOBBLE_ALGORITHM_FUZZY);
    CHECK(def.kernel == WOBBLE_KERNEL_INVERSE_SQUARE && def.kernel_parameter == 1e-4f);
    CHECK(def.nesting == WOBBLE_NESTING_NESTED && def.particles_per_cluster == 20);
    CHECK(def.finest_clusters == 0 && def.max_levels == 16 && def.radius == 0 && def.radius_growth == 2);
    CHECK(def.overlap == 4 && def.max_rounds == 300 && def.threads == 0 && def.reserved == 0 && def.seed == 0);
    CHECK(def.progress == NULL && def.progress_user == NULL);
}

static void a_shape_keeps_the_points_about_their_centre_of_mass(void) {
    const float *points = cube_points();
    float padded[COUNT][5], masses[COUNT][2], rest[COUNT][4], mass;
    WobbleShape shape;
    uint32_t count;
    for (int i = 0; i < COUNT; i++) {
        masses[i][0] = 0.5f;
        masses[i][1] = NAN;
        padded[i][3] = padded[i][4] = NAN;
        for (int axis = 0; axis < 3; axis++) {
            padded[i][axis] = points[3 * i + axis] + 7.0f;
        }
    }
    OK(wobble_shape_create_from_points(padded[0], COUNT, sizeof padded[0], masses[0], sizeof masses[0], NULL, &shape));
    OK(wobble_shape_particle_count(shape, &count));
    CHECK(count == COUNT);
    OK(wobble_shape_mass(shape, &mass));
    NEAR(mass, 0.5 * COUNT, 1e-4);
    mark(rest, sizeof rest);
    OK(wobble_shape_rest_positions(shape, rest[0], sizeof rest[0], COUNT));
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            NEAR(rest[i][axis], points[3 * i + axis], 1e-5);
        }
        CHECK(is_untouched(&rest[i][3], sizeof(float)));
    }
    OK(wobble_shape_release(shape));
}

static void levels_are_reported_from_the_finest(void) {
    WobbleShape shape = cube();
    WobbleLevelReport report;
    uint32_t levels, before = COUNT;
    OK(wobble_shape_level_count(shape, &levels));
    CHECK(levels >= 2);
    for (uint32_t level = 0; level < levels; level++) {
        float centres[COUNT][3];
        report.struct_size = sizeof report;
        OK(wobble_shape_level_report(shape, level, &report));
        CHECK(report.clusters >= 1 && report.clusters < before && report.rounds >= 1 && report.converged <= 1);
        CHECK(report.radius > 0 && report.overlap >= 1 && report.memberships_per_particle >= 1);
        CHECK(report.seconds >= 0);
        before = report.clusters;
        mark(centres, sizeof centres);
        OK(wobble_shape_cluster_centres(shape, level, centres[0], 0, COUNT));
        for (uint32_t i = 0; i < report.clusters; i++) {
            CHECK(fabsf(centres[i][0]) <= 0.5f && fabsf(centres[i][1]) <= 0.5f && fabsf(centres[i][2]) <= 0.5f);
        }
        CHECK(is_untouched(centres[report.clusters], sizeof centres[0] * (COUNT - report.clusters)));
    }
    CHECK(before == 1);
    OK(wobble_shape_release(shape));
}

static void memberships_tell_who_is_held_by_whom(void) {
    static WobbleMembership all[COUNT * 40];
    WobbleShape shape = cube();
    WobbleLevelReport report;
    uint32_t levels, nested, members = COUNT, count, expected;
    OK(wobble_shape_is_nested(shape, &nested));
    CHECK(nested == 1);
    OK(wobble_shape_level_count(shape, &levels));
    for (uint32_t level = 0; level < levels; level++) {
        float sums[COUNT] = {0};
        report.struct_size = sizeof report;
        OK(wobble_shape_level_report(shape, level, &report));
        OK(wobble_shape_membership_count(shape, level, &expected));
        CHECK(expected >= members && expected <= COUNT * 40);
        mark(all, sizeof all);
        OK(wobble_shape_memberships(shape, level, all, expected, &count));
        CHECK(count == expected && is_untouched(&all[count], sizeof all - count * sizeof all[0]));
        for (uint32_t i = 0; i < count; i++) {
            CHECK(all[i].member < members && all[i].cluster < report.clusters && all[i].weight >= 0);
            CHECK(i == 0 || all[i].member >= all[i - 1].member);
            sums[all[i].member] += all[i].weight;
        }
        for (uint32_t i = 0; i < members; i++) {
            NEAR(sums[i], 1, 1e-5);
        }
        members = report.clusters;
    }
    OK(wobble_shape_release(shape));
}

/* The centre of a cluster is that of its members, each with its weight and mass, in the order of the points. */
static void clusters_are_what_their_members_make_them(void) {
    static WobbleMembership all[COUNT * 40];
    static float rest[COUNT][3], masses[COUNT], centres[COUNT][3], widths[COUNT];
    WobbleShape shape = cube();
    WobbleLevelReport report;
    uint32_t count;
    report.struct_size = sizeof report;
    OK(wobble_shape_level_report(shape, 0, &report));
    OK(wobble_shape_rest_positions(shape, rest[0], 0, COUNT));
    OK(wobble_shape_masses(shape, masses, 0, COUNT));
    OK(wobble_shape_memberships(shape, 0, all, COUNT * 40, &count));
    OK(wobble_shape_cluster_centres(shape, 0, centres[0], 0, COUNT));
    OK(wobble_shape_cluster_widths(shape, 0, widths, 0, COUNT));
    for (uint32_t c = 0; c < report.clusters; c++) {
        float sum[3] = {0, 0, 0}, mass = 0, width = 0;
        for (uint32_t i = 0; i < count; i++) {
            const float *r = rest[all[i].member];
            float share = all[i].weight * masses[all[i].member], away = 0;
            if (all[i].cluster != c) {
                continue;
            }
            mass += share;
            for (int k = 0; k < 3; k++) {
                sum[k] += share * r[k];
                away += (r[k] - centres[c][k]) * (r[k] - centres[c][k]);
            }
            width = away > width ? away : width;
        }
        for (int k = 0; k < 3; k++) {
            NEAR(sum[k] / mass, centres[c][k], 1e-5);
        }
        NEAR(sqrtf(width), widths[c], 1e-5);
    }
    OK(wobble_shape_release(shape));
}

static void planes_have_the_members_of_their_cluster_inside(void) {
    static WobbleMembership all[COUNT * 40];
    static WobbleClusterPlane planes[COUNT * 6];
    static float rest[COUNT][3];
    WobbleShape shape = cube();
    uint32_t expected, count, members;
    OK(wobble_shape_plane_count(shape, &expected));
    CHECK(expected > 0 && expected <= COUNT * 6);
    OK(wobble_shape_planes(shape, planes, expected, &count));
    CHECK(count == expected);
    OK(wobble_shape_rest_positions(shape, rest[0], 0, COUNT));
    OK(wobble_shape_memberships(shape, 0, all, COUNT * 40, &members));
    for (uint32_t p = 0; p < count; p++) {
        WobbleVec3 n = planes[p].normal;
        NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-5);
        for (uint32_t i = 0; i < members; i++) {
            const float *r = rest[all[i].member];
            CHECK(all[i].cluster != planes[p].cluster ||
                  n.x * r[0] + n.y * r[1] + n.z * r[2] + planes[p].offset <= 1e-5f);
        }
    }
    OK(wobble_shape_release(shape));
}

static void what_a_definition_asks_for_is_built(void) {
    WobbleShapeDef def;
    WobbleShape shape, other;
    WobbleLevelReport report;
    uint64_t fingerprint, others;
    uint32_t levels;
    OK(wobble_shape_def_init(&def, sizeof def));
    def.finest_clusters = 12;
    def.max_levels = 1;
    def.algorithm = WOBBLE_ALGORITHM_K_MEANS;
    def.kernel = WOBBLE_KERNEL_POLY6;
    def.nesting = WOBBLE_NESTING_INDEPENDENT;
    OK(wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, &def, &shape));
    OK(wobble_shape_level_count(shape, &levels));
    report.struct_size = sizeof report;
    OK(wobble_shape_level_report(shape, 0, &report));
    CHECK(levels == 1 && report.clusters == 12);
    def.seed = 1;
    OK(wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, &def, &other));
    OK(wobble_shape_fingerprint(shape, &fingerprint));
    OK(wobble_shape_fingerprint(other, &others));
    CHECK(fingerprint != others);
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(other));
}

static void a_shape_lives_until_its_last_reference_is_released(void) {
    WobbleShape shape = cube();
    float mass;
    OK(wobble_shape_retain(shape));
    OK(wobble_shape_release(shape));
    OK(wobble_shape_mass(shape, &mass));
    NEAR(mass, 1, 1e-5);
    OK(wobble_shape_release(shape));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "shape", wobble_shape_mass(shape, &mass));
}

static void the_view_order_names_every_particle_once(void) {
    WobbleShape shape = cube();
    const uint32_t *order;
    uint32_t count, seen[COUNT] = {0};
    OK(wobble_shape_view_order(shape, &order, &count));
    CHECK(count == COUNT);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(order[i] < COUNT && seen[order[i]]++ == 0);
    }
    OK(wobble_shape_release(shape));
}

struct Progress {
    uint32_t calls, stop_after;
    float last;
};

static uint32_t tell(float fraction, void *user) {
    struct Progress *progress = user;
    CHECK(fraction >= progress->last && fraction <= 1);
    progress->last = fraction;
    progress->calls++;
    return progress->calls <= progress->stop_after;
}

static void progress_is_told_and_can_cancel(void) {
    struct Progress all = {0, UINT32_MAX, 0}, none = {0, 0, 0};
    WobbleShape shape;
    WobbleShapeDef def;
    OK(wobble_shape_def_init(&def, sizeof def));
    def.progress = tell;
    def.progress_user = &all;
    OK(wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, &def, &shape));
    CHECK(all.calls > 0);
    OK(wobble_shape_release(shape));
    def.progress_user = &none;
    mark(&shape, sizeof shape);
    REFUSED(WOBBLE_STATUS_CANCELLED, "cancelled",
            wobble_shape_create_from_points(cube_points(), COUNT, 0, NULL, 0, &def, &shape));
    CHECK(none.calls == 1 && is_untouched(&shape, sizeof shape));
}

static void a_scaled_shape_is_larger_and_heavier(void) {
    WobbleShape shape = cube(), tall, light;
    static float before[COUNT][3], after[COUNT][3];
    float mass, scaled, given;
    OK(wobble_shape_create_scaled(shape, 1, 2, 1, 0, &tall));
    OK(wobble_shape_create_scaled(shape, 1, 2, 1, 0.25f, &light));
    OK(wobble_shape_mass(shape, &mass));
    OK(wobble_shape_mass(tall, &scaled));
    OK(wobble_shape_mass(light, &given));
    NEAR(scaled, 2 * mass, 1e-4);
    NEAR(given, 0.25, 1e-5);
    OK(wobble_shape_rest_positions(shape, before[0], 0, COUNT));
    OK(wobble_shape_rest_positions(tall, after[0], 0, COUNT));
    NEAR(after[3][0], before[3][0], 1e-6);
    NEAR(after[3][1], 2 * before[3][1], 1e-6);
    OK(wobble_shape_release(light));
    OK(wobble_shape_release(tall));
    OK(wobble_shape_release(shape));
}

static void materials_are_filled_by_default_and_by_name(void) {
    static const char *const names[] = {"jelly", "rubber", "flesh", "foam", "gummy", "water balloon"};
    WobbleMaterial plain, named[6];
    mark(&plain, sizeof plain);
    OK(wobble_material_init(&plain, sizeof plain));
    CHECK(plain.struct_size == sizeof plain && plain.stiffness_kind == WOBBLE_STIFFNESS_HERTZ);
    CHECK(plain.stiffness == 40 && plain.damping_kind == WOBBLE_DAMPING_PER_SECOND && plain.damping == 10);
    CHECK(plain.damping_form == WOBBLE_DAMPING_FORM_RIGID && plain.rotation == WOBBLE_ROTATION_MOMENTUM);
    CHECK(plain.goals == WOBBLE_GOALS_RIGID && plain.strain_rounds == 0 && plain.gravity_scale == 1 && plain.rebound == 0);
    for (int i = 0; i < 6; i++) {
        OK(wobble_material_init(&named[i], sizeof named[i]));
        OK(wobble_material_named(names[i], &named[i]));
        CHECK(named[i].struct_size == sizeof named[i]);
        CHECK(memcmp(&named[i], &plain, sizeof plain) != 0);
        for (int other = 0; other < i; other++) {
            CHECK(memcmp(&named[i], &named[other], sizeof plain) != 0);
        }
    }
}

int main(void) {
    a_definition_is_filled_with_the_defaults();
    a_shape_keeps_the_points_about_their_centre_of_mass();
    levels_are_reported_from_the_finest();
    memberships_tell_who_is_held_by_whom();
    clusters_are_what_their_members_make_them();
    planes_have_the_members_of_their_cluster_inside();
    what_a_definition_asks_for_is_built();
    a_shape_lives_until_its_last_reference_is_released();
    the_view_order_names_every_particle_once();
    progress_is_told_and_can_cancel();
    a_scaled_shape_is_larger_and_heavier();
    materials_are_filled_by_default_and_by_name();
    return 0;
}
