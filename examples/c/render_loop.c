/* A host with a render loop of its own: three balls of one shape, which differ in nothing but the
 * weights of their levels, fall on the ground and are filmed.
 *
 * The simulation runs at a fixed 60 Hz, the film at 25 frames a second. While a frame is drawn the
 * next step runs in the background; frames show the state published before it, blended between its
 * last two steps. Writes an animated GIF to the path given, or to wobble.gif; `--quick` after the
 * path makes it short. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "gif.h"
#include "render.h"
#include "wobble.h"

enum { FRAMES = 80, BALLS = 3, LAYERS = 4, MOST_STEPS = FRAMES * 3, SAMPLE_FRAMES = 6 };
static const uint32_t LAYER_POINTS[LAYERS] = {1700, 1400, 1100, 898}; /* 5098 in all, outermost first */
static const float STEP = 1.0f / 60.0f, FRAME = 1.0f / 25.0f;
static const float DRAWN = 0.042f; /* radius of a particle as drawn, metres: closes the gaps */

typedef struct Ball {
    const char *name;
    float weights[3]; /* finest first */
    Point start, colour;
    WobbleBody body;
} Ball;

static Ball balls[BALLS] = {
    {"coarse", {0.02f, 0.08f, 0.90f}, {-1.50f, 1.45f, 0.0f}, {0.90f, 0.14f, 0.10f}, {0}},
    {"uniform", {1.0f, 1.0f, 1.0f}, {0.0f, 1.45f, 0.0f}, {0.95f, 0.52f, 0.04f}, {0}},
    {"finest alone", {1.0f, 0.0f, 0.0f}, {1.50f, 1.45f, 0.0f}, {0.02f, 0.42f, 0.46f}, {0}},
};

static Point points[5098], present[5098], before[5098];
static const uint32_t COUNT = 5098;
static uint32_t around[1700][3]; /* particles round each one of the outermost layer, counterclockwise */
static Splat splats[BALLS * 1700];
static Renderer renderer;
static WobbleProfile profiles[MOST_STEPS];
static uint32_t steps;

static void check(WobbleStatus status) {
    if (status != WOBBLE_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", wobble_status_name(status), wobble_last_error());
        exit(1);
    }
}

/* A hollow ball, 0.5 m in radius: layers of points along a spiral that spreads them evenly. */
static void make_points(void) {
    const float turn = 2.39996323f; /* the golden angle */
    uint32_t n = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        for (uint32_t i = 0; i < LAYER_POINTS[layer]; i++) {
            float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)LAYER_POINTS[layer], ring = sqrtf(1.0f - y * y);
            float angle = turn * (float)i + (float)layer;
            points[n++] = scale(point(ring * cosf(angle), y, ring * sinf(angle)), 0.5f - 0.035f * (float)layer);
        }
}

/* Finds for each particle of the outermost layer three near ones, a third of a turn apart, that its
 * normal is taken from. */
static void make_around(void) {
    for (uint32_t i = 0; i < LAYER_POINTS[0]; i++) {
        Point out = unit(points[i]), along = unit(cross(fabsf(out.y) < 0.9f ? point(0, 1, 0) : point(1, 0, 0), out));
        Point across = cross(out, along);
        for (int k = 0; k < 3; k++) {
            float turn = 2.0943951f * (float)k, farthest = 0.0f;
            Point direction = add(scale(along, cosf(turn)), scale(across, sinf(turn)));
            for (uint32_t j = 0; j < LAYER_POINTS[0]; j++) {
                Point off = add(points[j], scale(points[i], -1.0f));
                float reach = dot(off, direction);
                if (reach > farthest && dot(off, off) < 0.1f * 0.1f) farthest = reach, around[i][k] = j;
            }
        }
    }
}

static void print_levels(WobbleShape shape) {
    uint32_t levels;
    check(wobble_shape_level_count(shape, &levels));
    printf("%u particles\n\nlevel  clusters  radius (m)  clusters a particle\n", COUNT);
    for (uint32_t level = 0; level < levels; level++) {
        WobbleLevelReport report;
        report.struct_size = sizeof report;
        check(wobble_shape_level_report(shape, level, &report));
        printf("%5u  %8u  %10.3f  %19.1f\n", level, report.clusters, report.radius, report.memberships_per_particle);
    }
}

static WobbleWorld make_world(void) {
    WobbleWorld world;
    WobbleShape shape;
    WobbleCollider ground;
    WobbleShapeDef shape_def;
    WobbleMaterial material;
    WobbleBodyDef def;
    uint32_t threads, levels;
    check(wobble_world_create(NULL, &world));
    check(wobble_world_threads(world, &threads));
    check(wobble_world_set_threads(world, threads > 1 ? threads - 1 : 1)); /* one core is for drawing */
    check(wobble_collider_create(world, NULL, &ground));

    check(wobble_shape_def_init(&shape_def, sizeof shape_def));
    shape_def.particles_per_cluster = 50;
    shape_def.max_levels = 3;
    check(wobble_shape_create_from_points(&points[0].x, COUNT, 0, NULL, 0, &shape_def, &shape));
    check(wobble_shape_level_count(shape, &levels));
    print_levels(shape);

    check(wobble_material_init(&material, sizeof material));
    material.stiffness = 15.0f;
    material.damping = 8.0f;
    check(wobble_body_def_init(&def, sizeof def));
    def.rotation.x = 0.35f, def.rotation.z = 0.25f; /* tilted */
    def.material = &material;
    for (Ball *ball = balls; ball < balls + BALLS; ball++) {
        def.position.x = ball->start.x, def.position.y = ball->start.y, def.position.z = ball->start.z;
        check(wobble_body_create(world, shape, &def, &ball->body));
        check(wobble_body_set_level_weights(ball->body, ball->weights, levels < 3 ? levels : 3));
    }
    check(wobble_shape_release(shape)); /* the bodies keep it */
    return world;
}

/* Fills the splats with the outermost layer of each ball, `share` of the way from the last state
 * but one to the last. */
static void look(float share) {
    Splat *splat = splats;
    for (int b = 0; b < BALLS; b++) {
        check(wobble_body_positions(balls[b].body, &present[0].x, 0, COUNT));
        check(wobble_body_previous_positions(balls[b].body, &before[0].x, 0, COUNT));
        for (uint32_t i = 0; i < LAYER_POINTS[0]; i++) present[i] = mix(before[i], present[i], share);
        for (uint32_t i = 0; i < LAYER_POINTS[0]; i++, splat++) {
            Point corner = scale(present[around[i][0]], -1.0f);
            Point normal = cross(add(present[around[i][1]], corner), add(present[around[i][2]], corner));
            float length = sqrtf(dot(normal, normal));
            splat->normal = length > 1e-9f ? scale(normal, 1.0f / length) : point(0.0f, 1.0f, 0.0f);
            /* Particles lie on the ground with their centres; drawn spheres lie on it whole. */
            splat->centre = add(present[i], point(0.0f, DRAWN, 0.0f));
            splat->radius = DRAWN;
            /* Like a beach ball: sectors, and caps. */
            float sector = atan2f(points[i].z, points[i].x) * (4.0f / 3.14159265f);
            splat->brightness = ((int)floorf(sector) & 1) || fabsf(points[i].y) > 0.46f ? 1.0f : 0.6f;
            splat->colour = b;
        }
    }
}

/* Steps as time has come, the last one in the background, and draws the state before it. */
static void run(WobbleWorld world, uint8_t *film, int frames) {
    const size_t bytes = sizeof renderer.rgb;
    float time = 0.0f; /* not yet simulated */
    for (int frame = 0; frame < frames; frame++) {
        look(time / STEP);
        draw(&renderer, splats, sizeof splats / sizeof *splats);
        memcpy(film + (size_t)frame * bytes, renderer.rgb, bytes);
        for (time += FRAME; time >= STEP; time -= STEP) {
            check(wobble_world_step_wait(world));
            if (steps > 0) {
                profiles[steps - 1].struct_size = sizeof *profiles;
                check(wobble_world_profile(world, &profiles[steps - 1]));
            }
            check(wobble_world_step_begin(world, STEP));
            steps++;
        }
    }
    check(wobble_world_step_wait(world));
    steps--;
}

static int compare(const void *a, const void *b) {
    return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

static void print_stage(const char *name, size_t field) {
    static float times[MOST_STEPS];
    for (uint32_t i = 0; i < steps; i++) memcpy(&times[i], (const char *)&profiles[i] + field, sizeof *times);
    qsort(times, steps, sizeof *times, compare);
    printf("%-9s  %7.3f  %7.3f\n", name, 1e3f * times[steps / 2], 1e3f * times[steps - 1]);
}

static void print_report(void) {
    printf("\nms a step   median  longest\n");
    print_stage("match", offsetof(WobbleProfile, matching));
    print_stage("goals", offsetof(WobbleProfile, goals));
    print_stage("integrate", offsetof(WobbleProfile, integrate));
    print_stage("strain", offsetof(WobbleProfile, strain));
    print_stage("all", offsetof(WobbleProfile, total));
    printf("\nweights       height (m)  shape error\n");
    for (const Ball *ball = balls; ball < balls + BALLS; ball++) {
        WobbleBounds bounds;
        float error;
        check(wobble_body_bounds(ball->body, &bounds));
        check(wobble_body_shape_error(ball->body, &error));
        printf("%-12s  %10.3f  %11.4f\n", ball->name, bounds.high.y - bounds.low.y, error);
    }
}

static long write_film(const char *path, const uint8_t *film, size_t frames) {
    const size_t bytes = sizeof renderer.rgb;
    uint8_t *sample = malloc(SAMPLE_FRAMES * bytes);
    if (!sample) return -1;
    for (size_t i = 0; i < SAMPLE_FRAMES; i++)
        memcpy(sample + i * bytes, film + i * (frames - 1) / (SAMPLE_FRAMES - 1) * bytes, bytes);
    Gif *gif = gif_open(path, WIDTH, HEIGHT, (int)(FRAME * 100.0f + 0.5f), sample, SAMPLE_FRAMES * bytes / 3);
    free(sample);
    if (!gif) return -1;
    for (size_t frame = 0; frame < frames; frame++) gif_frame(gif, film + frame * bytes);
    return gif_close(gif);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "wobble.gif";
    int frames = argc > 2 && strcmp(argv[2], "--quick") == 0 ? 10 : FRAMES;
    uint8_t *film = malloc((size_t)frames * sizeof renderer.rgb);
    if (!film) return 1;
    renderer_init(&renderer, point(0.0f, 1.75f, 7.4f), point(0.0f, 0.82f, 0.0f), 0.35f);
    for (int b = 0; b < BALLS; b++) renderer.colours[b] = balls[b].colour;
    make_points();
    make_around();
    WobbleWorld world = make_world();
    run(world, film, frames);
    print_report();
    check(wobble_world_destroy(world));
    long size = write_film(path, film, (size_t)frames);
    free(film);
    if (size < 0) {
        fprintf(stderr, "%s cannot be written\n", path);
        return 1;
    }
    printf("\n%s: %d frames, %.1f MB\n", path, frames, (double)size * 1e-6);
    return 0;
}
