// A ball of points falls on the ground. Prints how high it is, four times a second.
#include <cstdio>
#include <vector>

#include "wobble.hpp"

// The points of a grid that lie in a ball of 0.5 m radius.
static std::vector<wobble::Vec3> ball() {
    constexpr int side = 13;
    std::vector<wobble::Vec3> points;
    for (int i = 0; i < side * side * side; i++) {
        float x = float(i % side) / (side - 1) - 0.5f;
        float y = float(i / side % side) / (side - 1) - 0.5f;
        float z = float(i / side / side) / (side - 1) - 0.5f;
        if (x * x + y * y + z * z <= 0.25f) points.push_back({x, y, z});
    }
    return points;
}

int main() try {
    auto world = wobble::World::create();
    auto ground = world.create_collider();
    auto shape = wobble::Shape::from_points(ball());
    wobble::BodyDef def;
    def.position.y = 2.0f;
    auto body = world.create_body(shape, def);

    for (int frame = 0; frame <= 120; frame++) {
        float low = 1e9f, high = -1e9f;
        for (const wobble::Vec3& p : body.view_positions()) {
            if (p.y < low) low = p.y;
            if (p.y > high) high = p.y;
        }
        if (frame % 15 == 0) std::printf("%4.2f s: from %5.3f to %5.3f m\n", frame / 60.0, double(low), double(high));
        world.step(1.0f / 60.0f);
    }
    return 0;
} catch (const wobble::Error& error) {
    std::fprintf(stderr, "%s: %s\n", name(error.status()), error.what());
    return 1;
}
