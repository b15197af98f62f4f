// Solids through the C++ header.
#include "check.hpp"

namespace {

SamplingDef few() {
    SamplingDef def;
    def.count = 200;
    return def;
}

void solids_tell_where_they_are() {
    CHECK(near(GET(Solid::ball(2.0f).distance_at({3.0f, 0.0f, 0.0f})), 1.0f));
    CHECK(near(GET(Solid::box({2.0f, 4.0f, 6.0f}).distance_at({0.0f, 0.0f, 0.0f})), -1.0f));
    CHECK(near(GET(Solid::capsule(0.5f, 3.0f).bounds()).high.y, 1.5f));
    CHECK(near(GET(Solid::torus(2.0f, 0.5f).distance_at({0.0f, 0.0f, 0.0f})), 1.5f));
    CHECK(near(GET(Solid::cylinder(0.5f, 3.0f).bounds()).low.x, -0.5f));
    CHECK(GET(Solid::gummy_bear(0.3f).bounds()).high.y > 0.29f);
    REFUSED(invalid_argument, Solid::ball(-1.0f).distance_at({}));
    REFUSED(invalid_argument, Solid::torus(1.0f, 2.0f).mesh());
    REFUSED(invalid_argument, Solid::ball(1.0f).with_cells(3).mesh());
    REFUSED(null_pointer, Solid::from_distance({0, 0, 0}, {1, 1, 1}, nullptr).mesh());
}

void a_mesh_of_a_solid_fills_a_shape() {
    SolidMesh mesh = GET(Solid::ball(0.5f).with_cells(12).mesh());
    CHECK(mesh.positions.size() == mesh.normals.size() && mesh.indices.size() % 3 == 0 && !mesh.indices.empty());
    CHECK(std::fabs(mesh.positions[0].x - 0.5f * mesh.normals[0].x) < 0.02f);
    Shape by_mesh = GET(Shape::from_mesh(mesh.as_mesh(), few()));
    Shape by_solid = GET(Shape::from_solid(Solid::ball(0.5f).with_cells(12), few()));
    CHECK(GET(by_mesh.fingerprint()) == GET(by_solid.fingerprint()));
    CHECK(GET(by_solid.vertex_count()) == mesh.positions.size());
    float seen = 0.0f;
    OK(Shape::from_solid(Solid::ball(0.5f).with_cells(12), few(), ShapeDef(), [&](float part) { seen = part; }));
    CHECK(seen > 0.0f);
}

void a_function_of_the_hosts_describes_a_solid() {
    float radius = 0.4f;
    auto function = [&](Vec3 p) { return std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - radius; };
    Solid solid = Solid::from_distance({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}, function).with_cells(12);
    Solid copy = solid;
    CHECK(near(GET(copy.distance_at({1.0f, 0.0f, 0.0f})), 0.6f));
    SolidMesh mesh = GET(copy.on_threads(1).mesh());
    Shape shape = GET(Shape::from_solid(solid, few()));
    CHECK(mesh.positions.size() == GET(shape.vertex_count()));
    REFUSED(invalid_argument, Solid::from_distance({0, 0, 0}, {1, 1, 1}, [](Vec3) { return NAN; }).mesh());
}

#ifndef WOBBLE_NO_EXCEPTIONS
void what_a_function_throws_comes_out() {
    struct Tired {};
    auto throwing = [](Vec3 p) -> float {
        if (p.x > 0.0f) throw Tired();
        return -1.0f;
    };
    Solid solid = Solid::from_distance({-1, -1, -1}, {1, 1, 1}, throwing).with_cells(8);
    int caught = 0;
    try {
        solid.mesh();
    } catch (Tired) {
        caught++;
    }
    try {
        OK(Shape::from_solid(solid));
    } catch (Tired) {
        caught++;
    }
    CHECK(caught == 2 && near(solid.distance_at({-1.0f, 0.0f, 0.0f}), -1.0f));
}
#endif

}  // namespace

int main() {
    solids_tell_where_they_are();
    a_mesh_of_a_solid_fills_a_shape();
    a_function_of_the_hosts_describes_a_solid();
#ifndef WOBBLE_NO_EXCEPTIONS
    what_a_function_throws_comes_out();
#endif
    return verdict();
}
