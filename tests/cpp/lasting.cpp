// Lasting change through the C++ header.
#include "check.hpp"

namespace {

using namespace wobble;

void deformation_lasts_until_a_reset() {
    World world = calm_world();
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    Plasticity rule, found;
    rule.yield_strain = 0.01f;
    rule.recluster = 1.4f;
    CHECK(!GET(body.plasticity(found)));
    OK(body.set_plasticity(&rule));
    CHECK(GET(body.plasticity(found)) && near(found.yield_strain, 0.01f) && near(found.recluster, 1.4f));
    OK(body.set_level_flow(0, 0.5f));
    CHECK(near(GET(body.level_flow(0)), 0.5f) && near(GET(body.lasting_strain()), 0.0f));
    OK(body.set_plasticity(nullptr));
    rule.limit = -1.0f;
    REFUSED(invalid_argument, body.set_plasticity(&rule));
}

void a_cut_parts_a_body_and_a_reset_mends_it() {
    World world = calm_world();
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    Fracture rule, found;
    OK(body.set_fracture(&rule));
    CHECK(GET(body.fracture(found)) && found.smallest == 4);
    OK(body.paint_toughness({}));
    OK(world.set_most_fractures(3));
    CHECK(GET(world.most_fractures()) == 3);
    CHECK(GET(body.cut({0.1f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f})) == 2);
    auto breaks = GET(world.breaks());
    auto particles = GET(world.broken_particles());
    CHECK(breaks.size() == 2 && breaks[0].piece.bits == body.handle().bits);
    CHECK(particles.size() == breaks[0].particle_count + breaks[1].particle_count);
    const Vec3 from[2] = {{-0.1f, 1.0f, -2.0f}, {-0.1f, 1.0f, 2.0f}}, to[2] = {{-0.1f, -1.0f, -2.0f}, {-0.1f, -1.0f, 2.0f}};
    CHECK(GET(body.cut(from, to)) == 2);
    OK(body.reset());
    CHECK(GET(world.bodies()).size() == 1 && GET(shape.skin_sources()).empty());
    OK(body.set_fracture(nullptr));
}

}  // namespace

int main() {
    deformation_lasts_until_a_reset();
    a_cut_parts_a_body_and_a_reset_mends_it();
    return verdict();
}
