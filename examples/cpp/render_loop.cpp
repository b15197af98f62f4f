// A host with a render loop of its own: three balls of one shape, which differ in nothing but the
// weights of their levels, fall and are drawn with letters.
//
// The simulation runs at a fixed 60 Hz, pictures are drawn 15 times a second; some are printed. While
// one is drawn the next step runs in the background, and the picture shows the state before it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "wobble.hpp"

namespace {

constexpr float step = 1.0f / 60.0f, frame_time = 1.0f / 15.0f;
constexpr int frames = 30, printed_every = 6, columns = 78, rows = 16;

// A ball of 0.5 m radius: layers of points along a spiral that spreads them evenly.
std::vector<wobble::Vec3> ball() {
    std::vector<wobble::Vec3> points;
    for (int layer = 0; layer < 4; layer++)
        for (int i = 0, count = 700 - 150 * layer; i < count; i++) {
            float y = 1.0f - 2.0f * (float(i) + 0.5f) / float(count), ring = std::sqrt(1.0f - y * y);
            float angle = 2.39996323f * float(i) + float(layer), radius = 0.5f - 0.05f * float(layer);
            points.push_back({radius * ring * std::cos(angle), radius * y, radius * ring * std::sin(angle)});
        }
    return points;
}

// Letters by how near the surface is to the eye.
class Screen {
public:
    void draw(wobble::view<const wobble::Vec3> particles) {
        for (const wobble::Vec3& p : particles) {
            int column = int((p.x + 2.6f) * 15.0f), row = rows - 1 - int(p.y * 7.5f);
            if (column < 0 || column >= columns || row < 0 || row >= rows) continue;
            float& nearest = depth_[std::size_t(row * columns + column)];
            if (p.z > nearest) nearest = p.z;
        }
    }

    void print() const {
        for (int row = 0; row < rows; row++) {
            std::string line;
            for (int column = 0; column < columns; column++) {
                float z = depth_[std::size_t(row * columns + column)];
                auto letter = std::size_t(std::clamp((z + 0.5f) * 9.0f, 0.0f, 8.0f));
                line += z <= nothing ? ' ' : ".:-=+*#%@"[letter];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            std::printf("%s\n", line.c_str());
        }
        std::printf("%s\n", std::string(columns, '~').c_str());
    }

private:
    static constexpr float nothing = -1e9f;
    std::vector<float> depth_ = std::vector<float>(std::size_t(rows * columns), nothing);
};

void run() {
    auto world = wobble::World::create();
    auto ground = world.create_collider();
    wobble::ShapeDef shape_def;
    shape_def.particles_per_cluster = 40;
    shape_def.max_levels = 3;
    auto shape = wobble::Shape::from_points(ball(), shape_def);
    auto coarsest = shape.level_count() - 1;

    wobble::Material material;
    material.stiffness = 15.0f;
    std::array<wobble::Body, 3> balls;
    for (std::size_t i = 0; i < balls.size(); i++) {
        wobble::BodyDef def;
        def.position = {1.6f * (float(i) - 1.0f), 1.5f, 0.0f};
        def.material = &material;
        balls[i] = world.create_body(shape, def);
    }
    balls[0].set_level_weight(coarsest, 0.9f);
    balls[1].set_weighting("uniform");
    balls[2].set_level_weight(0, 1.0f);

    float time = 0.0f;  // not yet simulated
    for (int frame = 0; frame < frames; frame++) {
        Screen screen;
        for (const auto& body : balls) screen.draw(body.view_positions());
        if (frame % printed_every == 0) {
            std::printf("\n%.1f s: weight on the coarsest level, on all alike, on the finest\n", double(frame) / 15.0);
            screen.print();
        }
        for (time += frame_time; time >= step; time -= step) {
            world.step_wait();
            world.step_begin(step);
        }
    }
    world.step_wait();
    auto profile = world.profile();
    auto ms = [](float seconds) { return 1e3 * double(seconds); };
    std::printf("\nms in the last step: match %.3f, goals %.3f, integrate %.3f, all %.3f\n", ms(profile.matching),
                ms(profile.goals), ms(profile.integrate), ms(profile.total));
}

}  // namespace

int main() try {
    run();
    return 0;
} catch (const wobble::Error& error) {
    std::fprintf(stderr, "%s: %s\n", name(error.status()), error.what());
    return 1;
}
