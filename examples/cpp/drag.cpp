// Two balls of jelly, joined by a spring, float and are blown about; one is picked with a ray and dragged as with
// a mouse. Prints where they are.
#include <cstdio>

#include "wobble.hpp"

int main() try {
    wobble::SamplingDef sampling;
    sampling.count = 400;
    sampling.density = 300.0f;
    auto shape = wobble::Shape::from_solid(wobble::Solid::ball(0.25f).with_cells(24), sampling);
    auto world = wobble::World::create();
    // Water three times as dense as the balls, up to y = 0, and a breeze over all.
    auto water = world.create_field(wobble::FieldDef::buoyancy(0.0f, 3.0f, 2.0f));
    auto breeze = world.create_field(wobble::FieldDef::wind({0.3f, 0.0f, 0.0f}, 0.5f));
    wobble::BodyDef def;
    def.position.x = -0.4f;
    auto left = world.create_body(shape, def);
    def.position.x = 0.4f;
    auto right = world.create_body(shape, def);

    wobble::JointDef rope;
    rope.point.x = -0.15f;
    rope.other_point.x = 0.15f;
    rope.radius = 0.1f;
    rope.hertz = 3.0f;
    auto joint = left.join(right, rope);
    for (int step = 0; step < 60; step++) world.step(1.0f / 60.0f);

    wobble::Vec3 over = right.centre_of_mass();
    over.y += 3.0f;
    wobble::Hit hit = world.cast_ray(over, {0.0f, -1.0f, 0.0f}, 10.0f);
    if (!hit || wobble::BodyRef(hit.body) != right) return 1;
    std::printf("hit %.2f m below the eye\n", double(hit.distance));

    wobble::DragDef grip;
    grip.point = hit.point;
    grip.radius = 0.15f;
    grip.max_force = 10.0f * 9.81f * shape.mass();
    wobble::Vec3 mouse = hit.point;
    {
        // Holds as long as it lives.
        auto hand = right.drag(grip);
        for (int step = 1; step <= 120; step++) {
            mouse.y += 0.01f;
            hand.move_to(mouse);
            world.step(1.0f / 60.0f);
            if (step % 30 == 0)
                std::printf("%4.2f s: left at %5.2f m, right at %5.2f m\n", step / 60.0,
                            double(left.centre_of_mass().y), double(right.centre_of_mass().y));
        }
    }
    bool lifted = right.centre_of_mass().y > 0.7f;
    for (int step = 0; step < 240; step++) world.step(1.0f / 60.0f);
    std::printf("let go, it floats at %5.2f m\n", double(right.centre_of_mass().y));
    return lifted && right.centre_of_mass().y < 0.4f ? 0 : 1;
} catch (const wobble::Error& error) {
    std::fprintf(stderr, "%s: %s\n", name(error.status()), error.what());
    return 1;
}
