// Tests that all a shape, a body and a world can do is reached through wobble.hpp.

#include <array>

#include "check.hpp"

namespace {

void a_shape_tells_what_it_is() {
    Shape shape = cube();
    CHECK(near(GET(shape.mass()), 1.0f) && GET(shape.fingerprint()) != 0);
    uint32_t levels = GET(shape.level_count());
    CHECK(levels > 1);
    LevelReport report = GET(shape.level_report(0));
    CHECK(report.clusters > 0 && report.radius > 0.0f);
    REFUSED(invalid_argument, shape.level_report(levels));
    std::vector<Vec3> rest = GET(shape.rest_positions());
    CHECK(rest.size() == 125 && near(rest[0].x, -0.2f) && near(rest[124].z, 0.2f));
    CHECK(GET(shape.cluster_centres(0)).size() == report.clusters);
    REFUSED(invalid_argument, shape.cluster_centres(levels));
    std::array<Vec3, 125> into{};
    OK(shape.read_rest_positions(into));
    CHECK(std::memcmp(into.data(), rest.data(), sizeof into) == 0);
    OK(shape.read_cluster_centres(0, into));
    CHECK(GET(shape.is_nested()) && GET(shape.masses()).size() == 125);
    CHECK(GET(shape.cluster_widths(0)).size() == report.clusters && GET(shape.cluster_widths(0))[0] > 0.0f);
    std::vector<Membership> held = GET(shape.memberships(0));
    CHECK(held.size() >= 125 && held.back().member == 124 && held.back().cluster < report.clusters);
    REFUSED(invalid_argument, shape.memberships(levels));
    CHECK(!GET(shape.planes()).empty());
    std::array<Vec3, 3> few{};
    REFUSED(buffer_too_small, shape.read_rest_positions(few));
}

void shapes_are_built_from_the_hosts_own_structs() {
    struct Vertex {
        float uv[2];
        float place[3];
        float mass;
    };
    std::vector<Vertex> vertices;
    for (Vec3 p : cube_points()) vertices.push_back({{0.0f, 0.0f}, {p.x, p.y, p.z}, 0.5f});
    view<const Vec3> points(&vertices[0].place[0], vertices.size(), sizeof(Vertex));
    view<const float> masses(&vertices[0].mass, vertices.size(), sizeof(Vertex));
    Shape shape = GET(Shape::from_points(points, masses));
    CHECK(near(GET(shape.mass()), 62.5f));
    Vec3 first = GET(shape.rest_positions())[0];
    CHECK(near(first.x, -0.2f));
    float seen = 0.0f;
    OK(Shape::from_points(points, masses, ShapeDef(), [&](float fraction) { seen = fraction; }));
    CHECK(seen > 0.0f);
    view<const float> short_masses(&vertices[0].mass, 3, sizeof(Vertex));
    auto result = attempt([&] { return Shape::from_points(points, short_masses); });
    CHECK(refused(result, Status::invalid_argument) && std::strstr(result.message(), "masses"));
    REFUSED(invalid_argument, Shape::from_points(points, std::vector<float>(125, -1.0f)));

    World world = calm_world();
    Body body = GET(world.create_body(shape));
    OK(body.read_positions(view<Vec3>(&vertices[0].place[0], vertices.size(), sizeof(Vertex))));
    CHECK(near(vertices[0].place[0], -0.2f) && vertices[0].mass == 0.5f);
}

void shapes_are_saved_and_loaded() {
    Shape shape = cube();
    std::vector<uint8_t> bytes = GET(shape.save());
    CHECK(bytes.size() == GET(shape.save_size()) && !bytes.empty());
    std::vector<uint8_t> own(bytes.size() + 7);
    CHECK(GET(shape.save_into(own)) == bytes.size() && std::memcmp(own.data(), bytes.data(), bytes.size()) == 0);
    REFUSED(buffer_too_small, shape.save_into(span<uint8_t>(own.data(), 5)));
    Shape loaded = GET(Shape::load(bytes));
    CHECK(GET(loaded.fingerprint()) == GET(shape.fingerprint()));
    bytes[bytes.size() / 2] ^= 1;
    REFUSED(corrupt, Shape::load(bytes));
    REFUSED(corrupt, Shape::load(span<const uint8_t>(bytes.data(), 20)));
}

void worlds_go_on_from_snapshots() {
    World world = calm_world();
    Collider ground = GET(world.create_collider());
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    for (int i = 0; i < 10; i++) OK(world.step(1.0f / 60.0f));
    std::vector<uint8_t> bytes = GET(world.snapshot());
    CHECK(bytes.size() == GET(world.snapshot_size()));
    std::vector<uint8_t> own(bytes.size());
    CHECK(GET(world.snapshot_into(own)) == bytes.size() && own == bytes);
    for (int i = 0; i < 10; i++) OK(world.step(1.0f / 60.0f));
    auto after = GET(world.state_hash());

    OK(world.restore(bytes));
    for (int i = 0; i < 10; i++) OK(world.step(1.0f / 60.0f));
    CHECK(GET(world.state_hash()) == after);
    OK(body.reset());

    World other = calm_world();
    REFUSED(missing_shape, other.restore(bytes));
    std::array<Shape, 1> shapes{shape};
    OK(other.restore(bytes, shapes));
    for (int i = 0; i < 10; i++) OK(other.step(1.0f / 60.0f));
    CHECK(GET(other.state_hash()) == after && GET(other.bodies()).size() == 1);
    CHECK(GET(other.newly_frozen()).empty());
    bytes.resize(bytes.size() / 2);
    REFUSED(corrupt, other.restore(bytes, shapes));
}

void bodies_go_back_to_snapshots() {
    World world = calm_world();
    Body body = GET(world.create_body(cube()));
    OK(body.set_velocity({1.0f, 2.0f, 3.0f}));
    std::vector<uint8_t> bytes = GET(body.snapshot());
    CHECK(bytes.size() == GET(body.snapshot_size()));
    std::vector<uint8_t> own(bytes.size());
    CHECK(GET(body.snapshot_into(own)) == bytes.size() && own == bytes);
    auto before = GET(world.state_hash());
    OK(world.step(0.1f));
    CHECK(GET(world.state_hash()) != before);
    OK(body.restore(bytes));
    CHECK(GET(world.state_hash()) == before);
    REFUSED(corrupt, body.restore(span<const uint8_t>(bytes.data(), 9)));
}

void a_body_is_moved_and_held() {
    World world = calm_world();
    OK(world.set_gravity({0.0f, 0.0f, 0.0f}));
    BodyDef def;
    def.position = {1.0f, 2.0f, 3.0f};
    def.velocity = {0.5f, 0.0f, 0.0f};
    Body body = GET(world.create_body(cube(), def));
    CHECK(near(GET(body.centre_of_mass()).y, 2.0f) && near(GET(body.momentum()).x, 0.5f));
    OK(body.set_velocity({0.0f, 0.0f, 0.0f}));
    OK(body.apply_impulse({0.0f, 2.0f, 0.0f}));
    CHECK(near(GET(body.momentum()).y, 2.0f) && near(GET(body.kinetic_energy()), 2.0f));
    OK(body.apply_torque_impulse({0.0f, 0.3f, 0.0f}));
    CHECK(near(GET(body.angular_momentum()).y, 0.3f) && near(GET(body.momentum()).y, 2.0f));
    OK(body.set_velocity({0.0f, 2.0f, 0.0f}));
    OK(body.apply_impulse_to(0, {0.1f, 0.0f, 0.0f}));
    OK(body.apply_impulse_at({1.0f, 2.0f, 3.0f}, {0.1f, 0.0f, 0.0f}, 0.2f));
    CHECK(near(GET(body.momentum()).x, 0.2f));
    REFUSED(invalid_argument, body.apply_impulse_at({9.0f, 9.0f, 9.0f}, {1.0f, 0.0f, 0.0f}, 0.1f));
    OK(body.apply_force({0.0f, 0.0f, 6.0f}));
    OK(body.apply_force_to(3, {0.0f, 0.0f, 6.0f}));
    OK(world.step(0.01f));
    CHECK(std::fabs(GET(body.momentum()).z - 0.12f) < 1e-3f);
    OK(body.teleport({0.0f, 5.0f, 0.0f}));
    CHECK(near(GET(body.centre_of_mass()).y, 5.0f));
    OK(body.teleport({0.0f, 6.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}));
    Quat upright = {0.0f, 0.0f, 0.0f, 1.0f};
    OK(body.teleport(nullptr, &upright));
    CHECK(near(GET(body.centre_of_mass()).y, 6.0f) && GET(body.shape_error()) < 1e-4f);
    CHECK(near(GET(body.volume()), 1.0f));
    OK(body.pin(0));
    CHECK(GET(body.is_pinned(0)) && !GET(body.is_pinned(1)));
    CHECK(GET(body.pins()) == std::vector<std::uint32_t>{0});
    Vec3 target = GET(body.positions())[0];
    target.x -= 0.05f;
    OK(body.move_pin(0, target));
    OK(world.step(0.1f));
    CHECK(near(GET(body.positions())[0].x, target.x) && GET(body.elastic_energy()) > 0.0f);
    OK(body.unpin(0));
    REFUSED(invalid_argument, body.pin(125));
    OK(body.set_enabled(false));
    CHECK(!GET(body.is_enabled()) && !GET(body.is_frozen()));
    OK(body.set_enabled(true));
    OK(body.reset());
    CHECK(near(GET(body.angular_momentum()).x, 0.0f));
    Bounds bounds = GET(body.bounds());
    CHECK(near(bounds.high.y - bounds.low.y, 0.4f));
    CHECK(GET(GET(body.shape()).particle_count()) == 125 && GET(body.particle_count()) == 125);
}

void particles_are_written_and_read() {
    World world = calm_world();
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    std::vector<Vec3> positions = GET(body.positions()), velocities(125, Vec3{1.0f, 0.0f, 0.0f});
    for (Vec3& p : positions) p.y += 7.0f;
    OK(body.set_positions(positions));
    OK(body.set_velocities(velocities));
    OK(body.set_position_of(0, {-0.2f, 6.9f, -0.2f}));
    OK(body.set_velocity_of(1, {2.0f, 0.0f, 0.0f}));
    CHECK(near(GET(body.positions())[0].y, 6.9f) && near(GET(body.velocities())[1].x, 2.0f));
    positions.pop_back();
    REFUSED(invalid_argument, body.set_positions(positions));
    velocities[3].x = INFINITY;
    REFUSED(invalid_argument, body.set_velocities(velocities));
    std::vector<Vec3> before = GET(body.positions());
    OK(world.step(0.01f));
    CHECK(near(GET(body.previous_positions())[5].x, before[5].x));
    Vec3 into[125];
    OK(body.read_previous_positions(into));
    CHECK(near(into[5].x, before[5].x));
    OK(body.read_velocities(into));
    OK(body.read_positions(into));

    view<const Vec3> lent = GET(body.view_positions());
    span<const uint32_t> order = GET(shape.view_order());
    CHECK(lent.size() == 125 && order.size() == 125 && lent.stride() == 16 && !lent.empty() && !order.empty());
    std::size_t place = 0;
    bool same = true;
    for (const Vec3& p : lent) {
        const Vec3& copied = into[order[place]];
        same = same && p.x == copied.x && p.y == lent[place].y && p.z == copied.z;
        place++;
    }
    CHECK(same && place == 125);
    CHECK(GET(body.view_velocities()).size() == 125);
    uint32_t sum = 0;
    for (uint32_t particle : order) sum += particle;
    CHECK(sum == 125 * 124 / 2);
    view<const Vec3> none;
    CHECK(none.begin() == none.end() && none.empty());
}

void materials_and_levels_are_tuned() {
    World world = calm_world();
    Material material = GET(Material::named("jelly"));
    REFUSED(unknown_name, Material::named("granite"));
    REFUSED(null_pointer, Material::named(nullptr));
    BodyDef def;
    def.material = &material;
    Body body = GET(world.create_body(cube(), def));
    CHECK(near(GET(body.material()).stiffness, material.stiffness));
    material.damping = 3.0f;
    OK(body.set_material(material));
    CHECK(near(GET(body.material()).damping, 3.0f));
    material.damping = -1.0f;
    REFUSED(invalid_argument, body.set_material(material));
    OK(body.set_preset("rubber"));
    REFUSED(unknown_name, body.set_preset(""));

    uint32_t levels = GET(body.level_count());
    std::vector<float> weights(levels, 1.0f);
    OK(body.set_level_weights(weights));
    CHECK(near(GET(body.level_weight(0)), 1.0f / float(levels)));
    OK(body.set_level_weight(0, 0.75f));
    CHECK(near(GET(body.level_weight(0)), 0.75f));
    OK(body.set_weighting("uniform"));
    OK(body.set_weighting("polynomial_fine", 2.0f, 3.0f));
    REFUSED(unknown_name, body.set_weighting("steep"));
    weights.assign(levels, 0.0f);
    REFUSED(invalid_argument, body.set_level_weights(weights));
    OK(body.set_level_stiffness(0, 0.5f));
    OK(body.set_level_damping(0, 2.0f));
    CHECK(near(GET(body.level_stiffness(0)), 0.5f) && near(GET(body.level_damping(0)), 2.0f));
}

void clusters_are_bones() {
    World world = calm_world();
    Shape shape = cube();
    BodyDef def;
    def.position.y = 3.0f;
    Body body = GET(world.create_body(shape, def));
    std::vector<Transform> bones = GET(body.cluster_transforms(0));
    std::vector<Vec3> centres = GET(shape.cluster_centres(0));
    CHECK(bones.size() == centres.size() && !bones.empty());
    CHECK(near(bones[0].position.y, centres[0].y + 3.0f) && near(std::fabs(bones[0].rotation.w), 1.0f));
    struct Bone {
        Transform transform;
        float other;
    };
    std::vector<Bone> own(bones.size());
    OK(body.read_cluster_transforms(0, view<Transform>(&own[0].transform, own.size(), sizeof(Bone))));
    CHECK(std::memcmp(&own.back().transform, &bones.back(), sizeof(Transform)) == 0);
    REFUSED(invalid_argument, body.cluster_transforms(99));
    REFUSED(buffer_too_small, body.read_cluster_transforms(0, view<Transform>()));
}

void a_step_in_the_background_shows_when_told() {
    World world = calm_world();
    Collider collider = GET(world.create_collider());
    Shape shape = cube();
    BodyDef def;
    def.velocity = {1.0f, 0.0f, 0.0f};
    Body body = GET(world.create_body(shape, def));
    float before = GET(body.centre_of_mass()).x;
    CHECK(GET(world.step_is_done()));
    OK(world.step_begin(0.1f));
    REFUSED(busy, body.reset());
    CHECK(GET(body.centre_of_mass()).x == before);
    CHECK(GET(body.view_positions()).size() == 125);
    while (!GET(world.step_is_done())) CHECK(GET(body.centre_of_mass()).x == before);
    OK(world.step_wait());
    CHECK(GET(body.centre_of_mass()).x > before);

    OK(world.step_begin(0.1f));
    body = Body();
    OK(world.step_begin(0.1f));
    collider = Collider();
    CHECK(GET(world.body_count()) == 0 && GET(world.statistics()).colliders == 0);
    OK(world.step_begin(0.1f));
}

}  // namespace

int main() {
    a_shape_tells_what_it_is();
    shapes_are_built_from_the_hosts_own_structs();
    shapes_are_saved_and_loaded();
    worlds_go_on_from_snapshots();
    bodies_go_back_to_snapshots();
    a_body_is_moved_and_held();
    particles_are_written_and_read();
    materials_and_levels_are_tuned();
    clusters_are_bones();
    a_step_in_the_background_shows_when_told();
    return verdict();
}
