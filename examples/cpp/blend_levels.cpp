// Blends level weights live, and tells errors by codes: a ball lies on the ground while its weights
// go from the finest level alone to the coarsest alone and back, a little in every frame. Fine levels
// let it sag; coarse ones make it round again. Prints how far it is from its shape as a graph.
#define WOBBLE_NO_EXCEPTIONS
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "wobble.hpp"

namespace {

constexpr int frames = 60 * 8;

// A soft ball of 0.5 m radius, just above the ground.
wobble::Result<wobble::Body> make_ball(const wobble::World& world) {
    constexpr int side = 15;
    std::vector<wobble::Vec3> points;
    for (int i = 0; i < side * side * side; i++) {
        float x = float(i % side) / (side - 1) - 0.5f;
        float y = float(i / side % side) / (side - 1) - 0.5f;
        float z = float(i / side / side) / (side - 1) - 0.5f;
        if (x * x + y * y + z * z <= 0.25f) points.push_back({x, y, z});
    }
    auto shape = wobble::Shape::from_points(points);
    if (!shape) return shape.status();
    wobble::Material material;
    material.stiffness = 8.0f;
    material.damping = 20.0f;
    wobble::BodyDef def;
    def.position.y = 0.52f;
    def.material = &material;
    return world.create_body(*shape, def);
}

// Shares the weight between the two levels next to `place`: 0 the finest, 1 the coarsest.
wobble::Result<void> blend(const wobble::Body& body, std::uint32_t levels, float place) {
    std::vector<float> weights(levels + 1);
    float at = place * float(levels - 1);
    auto below = std::min(std::uint32_t(at), levels - 1);
    weights[below] = 1.0f - (at - float(below));
    weights[below + 1] = at - float(below);
    return body.set_level_weights({weights.data(), levels});
}

wobble::Result<void> run() {
    auto world = wobble::World::create();
    if (!world) return world.status();
    auto ground = world->create_collider();
    if (!ground) return ground.status();
    auto ball = make_ball(*world);
    if (!ball) return ball.status();
    auto levels = ball->level_count();
    if (!levels) return levels.status();

    std::printf("time (s)  fine to coarse  height (m)  shape error\n");
    for (int frame = 0; frame <= frames; frame++) {
        float half = float(frame) / (frames / 2), back = half < 1.0f ? half : 2.0f - half;
        if (auto blended = blend(*ball, *levels, back * back); !blended) return blended;
        if (auto stepped = world->step(1.0f / 60.0f); !stepped) return stepped;
        if (frame % 12 != 0) continue;
        auto error = ball->shape_error();
        auto bounds = ball->bounds();
        if (!error || !bounds) return error ? bounds.status() : error.status();
        double tall = double(bounds->high.y) - double(bounds->low.y);
        std::printf("%8.1f  %14.2f  %10.2f  %11.3f %s\n", frame / 60.0, double(back * back), tall, double(*error),
                    std::string(std::size_t(*error * 150.0f + 0.5f), '#').c_str());
    }
    return {};
}

}  // namespace

int main() {
    auto result = run();
    if (result) return 0;
    std::fprintf(stderr, "%s: %s\n", name(result.status()), result.message());
    return 1;
}
