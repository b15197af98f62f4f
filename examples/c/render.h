/* A small software renderer: balls of particles on a floor with a grid, lit from the upper left.
 *
 * Particles are drawn as spheres that run into each other: a first pass finds the nearest surface
 * at each sample, a second one blends normal and brightness of all spheres near that surface. A
 * pixel has 2 by 2 samples. The floor and the sky never change and are drawn once; a frame only
 * darkens the floor where there is shadow. */
#ifndef RENDER_H
#define RENDER_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 270, SAMPLES = 2, SHADE = 384, TONES = 4096 };

typedef struct Point { float x, y, z; } Point;

typedef struct Splat {
    Point centre;     /* metres */
    Point normal;     /* out of the ball, of unit length */
    float radius;     /* metres */
    float brightness; /* of its colour */
    int colour;       /* into Renderer.colours */
} Splat;

typedef struct Sample { /* sums over the spheres near the surface */
    Point normal;
    float brightness, weight;
    int colour;
} Sample;

typedef struct Renderer {
    Point eye, right, up, forward, light;
    float focal; /* samples that a metre covers at a distance of a metre */
    Point colours[3];
    Point backdrop[HEIGHT][WIDTH];
    Point floor_at[HEIGHT][WIDTH]; /* y is 1 where the pixel sees the floor */
    float depth[HEIGHT * SAMPLES][WIDTH * SAMPLES];
    Sample samples[HEIGHT * SAMPLES][WIDTH * SAMPLES]; /* where depth is less than FAR */
    float shade[SHADE][SHADE], swap[SHADE][SHADE]; /* of the floor, from above */
    uint8_t tones[TONES];                          /* linear light to bytes */
    uint8_t rgb[HEIGHT][WIDTH][3];                 /* the picture */
} Renderer;

static const float SHADE_REACH = 3.2f;  /* half the side of the shaded square of floor, metres */
static const float FAR = 1e9f;          /* the depth of nothing */
static const float BLEND_DEPTH = 0.08f; /* spheres nearer than this to the surface join it, metres */

static Point point(float x, float y, float z) {
    Point p = {x, y, z};
    return p;
}
static Point add(Point a, Point b) { return point(a.x + b.x, a.y + b.y, a.z + b.z); }
static Point scale(Point a, float s) { return point(a.x * s, a.y * s, a.z * s); }
static Point mix(Point a, Point b, float t) { return add(scale(a, 1.0f - t), scale(b, t)); }
static float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Point unit(Point a) { return scale(a, 1.0f / sqrtf(dot(a, a))); }
static Point cross(Point a, Point b) {
    return point(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static int whole(float x, int most) { return (int)clamp(x, 0.0f, (float)most); }

/* How much a grid of lines `gap` metres apart covers a place, over a width of `blur` metres. */
static float grid_line(float at, float gap, float blur) {
    float off = fabsf(at / gap - floorf(at / gap + 0.5f)) * gap;
    float half = 0.008f + 0.5f * blur;
    return clamp((half - off) / blur + 0.5f, 0.0f, 1.0f) * clamp(0.03f / (0.016f + blur), 0.0f, 1.0f);
}

static Point backdrop(const Renderer *r, float x, float y, Point *floor_at) {
    const Point low = {0.56f, 0.62f, 0.70f}, high = {0.10f, 0.17f, 0.32f};
    const Point tile = {0.20f, 0.24f, 0.30f}, line = {0.62f, 0.72f, 0.84f};
    Point ray = unit(add(r->forward, add(scale(r->right, x), scale(r->up, -y))));
    *floor_at = point(0.0f, 0.0f, 0.0f);
    if (ray.y >= 0.0f) return mix(low, high, clamp(ray.y * 4.5f, 0.0f, 1.0f));
    float distance = -r->eye.y / ray.y;
    Point at = add(r->eye, scale(ray, distance));
    float blur = distance / r->focal * 2.0f, deep = blur / -ray.y;
    float lines = fmaxf(grid_line(at.x, 0.5f, blur), grid_line(at.z, 0.5f, deep));
    float pool = 1.0f / (1.0f + 0.05f * (at.x * at.x + at.z * at.z)); /* brighter in the middle */
    *floor_at = point(at.x, 1.0f, at.z);
    Point floor = scale(mix(tile, line, 0.55f * lines), 0.45f + 0.75f * pool);
    return mix(floor, low, 1.0f - expf(-0.0035f * distance * distance));
}

static void renderer_init(Renderer *r, Point eye, Point target, float opening) {
    memset(r, 0, sizeof *r);
    r->eye = eye;
    r->forward = unit(add(target, scale(eye, -1.0f)));
    r->right = unit(cross(r->forward, point(0.0f, 1.0f, 0.0f)));
    r->up = cross(r->right, r->forward);
    r->light = unit(point(-0.50f, 1.0f, 0.55f));
    r->focal = HEIGHT * SAMPLES / opening;
    for (int i = 0; i < TONES; i++) r->tones[i] = (uint8_t)(255.0f * powf((float)i / (TONES - 1), 1.0f / 2.2f) + 0.5f);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int s = 0; s < 4; s++) {
                float across = ((float)x + 0.25f + 0.5f * (float)(s & 1)) * SAMPLES - WIDTH * SAMPLES * 0.5f;
                float down = ((float)y + 0.25f + 0.5f * (float)(s >> 1)) * SAMPLES - HEIGHT * SAMPLES * 0.5f;
                Point seen = backdrop(r, across / r->focal, down / r->focal, &r->floor_at[y][x]);
                r->backdrop[y][x] = add(r->backdrop[y][x], scale(seen, 0.25f));
            }
}

/* The mean of each row over 2 radius + 1 texels, written as a column: twice is a blur both ways. */
static void blur(float from[SHADE][SHADE], float to[SHADE][SHADE], int radius) {
    for (int row = 0; row < SHADE; row++) {
        float sum = 0.0f;
        for (int i = 0; i < radius; i++) sum += from[row][i];
        for (int i = 0; i < SHADE; i++) {
            if (i + radius < SHADE) sum += from[row][i + radius];
            to[i][row] = sum / (float)(2 * radius + 1);
            if (i >= radius) sum -= from[row][i - radius];
        }
    }
}

/* Shadows fall along the light; the higher the sphere, the fainter. */
static void draw_shade(Renderer *r, const Splat *splats, uint32_t count) {
    const float texels = SHADE / (2.0f * SHADE_REACH);
    memset(r->shade, 0, sizeof r->shade);
    for (uint32_t i = 0; i < count; i++) {
        Point c = splats[i].centre;
        float x = (c.x - r->light.x / r->light.y * c.y + SHADE_REACH) * texels;
        float z = (c.z - r->light.z / r->light.y * c.y + SHADE_REACH) * texels;
        float dark = 1.0f / (1.0f + 0.6f * fmaxf(c.y, 0.0f)), size = splats[i].radius * texels;
        for (int row = whole(z - size, SHADE); row < whole(z + size + 1.0f, SHADE); row++)
            for (int column = whole(x - size, SHADE); column < whole(x + size + 1.0f, SHADE); column++)
                if (dark > r->shade[row][column]) r->shade[row][column] = dark;
    }
    for (int i = 0; i < 2; i++) {
        blur(r->shade, r->swap, 5);
        blur(r->swap, r->shade, 5);
    }
}

static float shade_at(const Renderer *r, Point floor_at) {
    const float texels = SHADE / (2.0f * SHADE_REACH);
    float x = (floor_at.x + SHADE_REACH) * texels - 0.5f, z = (floor_at.z + SHADE_REACH) * texels - 0.5f;
    if (floor_at.y == 0.0f || x < 0.0f || z < 0.0f || x >= SHADE - 1 || z >= SHADE - 1) return 0.0f;
    int column = (int)x, row = (int)z;
    float u = x - (float)column, v = z - (float)row;
    float above = r->shade[row][column] * (1.0f - u) + r->shade[row][column + 1] * u;
    float below = r->shade[row + 1][column] * (1.0f - u) + r->shade[row + 1][column + 1] * u;
    return above * (1.0f - v) + below * v;
}

/* Draws one sphere, or rather a cap of much the same form: into the depths in the first pass, into
 * the samples in the second. */
static void draw_splat(Renderer *r, const Splat *s, int pass) {
    const Sample empty = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, s->colour};
    Point off = add(s->centre, scale(r->eye, -1.0f));
    float distance = dot(off, r->forward), per_metre = r->focal / distance;
    if (distance < 0.1f || dot(off, s->normal) > 0.35f * distance) return; /* on the far side */
    float x = dot(off, r->right) * per_metre + WIDTH * SAMPLES * 0.5f;
    float y = -dot(off, r->up) * per_metre + HEIGHT * SAMPLES * 0.5f;
    float size = s->radius * per_metre, over = 1.0f / size;
    int right = whole(x + size + 1.0f, WIDTH * SAMPLES), bottom = whole(y + size + 1.0f, HEIGHT * SAMPLES);
    int top = whole(y - size, HEIGHT * SAMPLES), left = whole(x - size, WIDTH * SAMPLES);
    for (int row = top; row < bottom; row++) {
        float dy = ((float)row + 0.5f - y) * over, in_row = 1.0f - dy * dy;
        for (int column = left; column < right; column++) {
            float dx = ((float)column + 0.5f - x) * over, inside = in_row - dx * dx;
            float depth = distance - s->radius * inside, nearest = r->depth[row][column];
            if (inside <= 0.0f || depth >= nearest + (pass == 0 ? 0.0f : BLEND_DEPTH)) continue;
            Sample *at = &r->samples[row][column];
            if (pass == 0) {
                r->depth[row][column] = depth;
                *at = empty;
            } else if (at->colour == s->colour) {
                float weight = inside * inside * (1.0f - (depth - nearest) / BLEND_DEPTH);
                at->normal = add(at->normal, scale(s->normal, weight));
                at->brightness += weight * s->brightness;
                at->weight += weight;
            }
        }
    }
}

/* The light that a sample of a ball sends back: like jelly, bright at the rim and in the shade. */
static Point lit(const Renderer *r, const Sample *s, float depth, float x, float y) {
    Point normal = unit(s->normal);
    float height = r->eye.y + depth * (r->forward.y + (r->right.y * x - r->up.y * y) / r->focal);
    Point halfway = unit(add(r->light, scale(r->forward, -1.0f)));
    float sun = dot(normal, r->light), wrapped = clamp((sun + 0.35f) / 1.35f, 0.0f, 1.0f);
    float shine = clamp(dot(normal, halfway), 0.0f, 1.0f), rim = 1.0f + clamp(dot(normal, r->forward), -1.0f, 0.0f);
    float open = (0.55f + 0.45f * normal.y) * (0.35f + 0.65f * clamp(height * 2.0f, 0.0f, 1.0f));
    shine *= shine, shine *= shine, shine *= shine, shine *= shine, shine *= shine;
    Point colour = scale(r->colours[s->colour], s->brightness / s->weight);
    Point from_sky = scale(point(0.42f, 0.50f, 0.62f), open);
    Point light = add(scale(point(1.0f, 0.95f, 0.86f), 1.05f * wrapped * wrapped), from_sky);
    Point back = point(colour.x * light.x, colour.y * light.y, colour.z * light.z);
    float glow = 0.22f * rim * rim * open + 0.45f * shine;
    return add(back, scale(point(1.0f, 0.97f, 0.92f), glow));
}

/* The mean of what the samples of a pixel see, lit once, and the backdrop where they see nothing. */
static void draw_pixel(Renderer *r, int x, int y) {
    Sample mean = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0};
    float depth = 0.0f, missed = SAMPLES * SAMPLES;
    Point sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        int column = x * SAMPLES + i % SAMPLES, row = y * SAMPLES + i / SAMPLES;
        const Sample *s = &r->samples[row][column];
        if (r->depth[row][column] >= FAR || s->weight <= 0.0f) continue;
        mean.normal = add(mean.normal, scale(s->normal, 1.0f / s->weight));
        mean.brightness += s->brightness / s->weight;
        mean.colour = s->colour;
        depth += r->depth[row][column];
        missed--;
    }
    mean.weight = SAMPLES * SAMPLES - missed;
    if (mean.weight > 0.0f) {
        float across = (float)(x * SAMPLES - WIDTH * SAMPLES / 2), down = (float)(y * SAMPLES - HEIGHT * SAMPLES / 2);
        sum = scale(lit(r, &mean, depth / mean.weight, across, down), mean.weight);
    }
    if (missed > 0.0f) {
        float dark = 1.0f - 0.75f * shade_at(r, r->floor_at[y][x]);
        sum = add(sum, scale(r->backdrop[y][x], dark * missed));
    }
    const float channels[3] = {sum.x, sum.y, sum.z};
    for (int c = 0; c < 3; c++)
        r->rgb[y][x][c] = r->tones[whole(channels[c] * (TONES - 1) / (SAMPLES * SAMPLES), TONES - 1)];
}

static void draw(Renderer *r, const Splat *splats, uint32_t count) {
    for (int y = 0; y < HEIGHT * SAMPLES; y++)
        for (int x = 0; x < WIDTH * SAMPLES; x++) r->depth[y][x] = FAR;
    draw_shade(r, splats, count);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) draw_splat(r, &splats[i], pass);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) draw_pixel(r, x, y);
}

#endif
