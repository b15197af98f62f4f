// A gummy bear falls on a ring that a function describes. Prints how high both are.
#include <cmath>
#include <cstdio>
#include <vector>

#include "wobble.hpp"

// A ring about y, 0.25 m to the middle of its tube, which swells and shrinks around it.
static float knobbly_ring(wobble::Vec3 p) {
    float around = std::atan2(p.z, p.x), tube = 0.08f + 0.02f * std::cos(7.0f * around);
    float across = std::sqrt(p.x * p.x + p.z * p.z) - 0.25f;
    return std::sqrt(across * across + p.y * p.y) - tube;
}

int main() try {
    wobble::SamplingDef sampling;
    sampling.count = 1500;
    auto bear_shape = wobble::Shape::from_solid(wobble::Solid::gummy_bear(0.3f), sampling);
    auto ring = wobble::Solid::from_distance({-0.36f, -0.11f, -0.36f}, {0.36f, 0.11f, 0.36f}, knobbly_ring);
    auto ring_shape = wobble::Shape::from_solid(ring.with_cells(40), sampling);

    auto world = wobble::World::create();
    world.set_bodies_meet(true);
    auto ground = world.create_collider();
    wobble::BodyDef def;
    def.position.y = 0.15f;
    auto tyre = world.create_body(ring_shape, def);
    tyre.set_preset("rubber");
    def.position.y = 0.6f;
    auto bear = world.create_body(bear_shape, def);
    bear.set_preset("gummy");

    std::vector<wobble::Vec3> surface(bear_shape.vertex_count());
    wobble::SkinBuffers skin;
    skin.to_positions(surface);
    wobble::Bounds bounds{};
    for (int step = 1; step <= 120; step++) {
        world.step(1.0f / 60.0f);
        bounds = bear.read_skin(skin);
        if (step % 15 == 0)
            std::printf("%4.2f s: bear from %6.3f to %5.3f m, ring at %5.3f m\n", step / 60.0, double(bounds.low.y),
                        double(bounds.high.y), double(tyre.centre_of_mass().y));
    }
    return bounds.low.y > -0.02f && bounds.high.y < 0.8f ? 0 : 1;
} catch (const wobble::Error& error) {
    std::fprintf(stderr, "%s: %s\n", name(error.status()), error.what());
    return 1;
}
