// A mesh in, a moving mesh out: a ball of triangles falls on the ground. Prints how high it is, and draws
// three frames between any two steps.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "wobble.hpp"

// A sphere of 0.5 m radius, cut open along a meridian as texture coordinates ask for.
static void make_sphere(std::vector<wobble::Vec3>& points, std::vector<std::uint16_t>& corners) {
    constexpr int rings = 24, columns = 48;
    for (int ring = 0; ring <= rings; ring++)
        for (int column = 0; column <= columns; column++) {
            float down = 3.1415927f * float(ring) / rings, along = 6.2831853f * float(column % columns) / columns;
            float sine = ring % rings == 0 ? 0.0f : std::sin(down);
            points.push_back({0.5f * sine * std::cos(along), 0.5f * std::cos(down), 0.5f * sine * std::sin(along)});
        }
    for (int ring = 0; ring < rings; ring++)
        for (int column = 0; column < columns; column++) {
            auto a = std::uint16_t(ring * (columns + 1) + column), b = std::uint16_t(a + columns + 1);
            for (int corner : {int(a), a + 1, int(b), int(b), a + 1, b + 1}) corners.push_back(std::uint16_t(corner));
        }
}

int main() try {
    std::vector<wobble::Vec3> points;
    std::vector<std::uint16_t> corners;
    make_sphere(points, corners);
    wobble::SamplingDef sampling;
    sampling.count = 2000;
    auto shape = wobble::Shape::from_mesh(wobble::Mesh(points, corners), sampling);

    auto world = wobble::World::create();
    auto ground = world.create_collider();
    wobble::BodyDef def;
    def.position.y = 1.5f;
    auto ball = world.create_body(shape, def);
    ball.set_preset("jelly");

    std::vector<wobble::Vec3> normals(points.size());
    wobble::SkinBuffers skin;
    skin.to_positions(points).to_normals(normals);
    for (int step = 1; step <= 90; step++) {
        world.step(1.0f / 60.0f);
        for (int frame = 1; frame <= 3; frame++) {
            wobble::Bounds bounds = ball.read_skin(skin.at(float(frame) / 3.0f));
            if (step % 15 == 0 && frame == 3)
                std::printf("%4.2f s: from %5.3f to %5.3f m\n", step / 60.0, double(bounds.low.y), double(bounds.high.y));
        }
    }
    return 0;
} catch (const wobble::Error& error) {
    std::fprintf(stderr, "%s: %s\n", name(error.status()), error.what());
    return 1;
}
