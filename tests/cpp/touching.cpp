// Attachments, force fields, queries and painted particles through the C++ header.
#include "check.hpp"

namespace {

void run(const World& world, int steps) {
    for (int i = 0; i < steps; i++) OK(world.step(1.0f / 60.0f));
}

// A cube of 0.4 m about the origin in a world without gravity.
struct Scene {
    World world = calm_world();
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    Scene() { OK(world.set_gravity({0.0f, 0.0f, 0.0f})); }
};

void particles_are_chosen() {
    Scene scene;
    CHECK(GET(scene.body.particles_in_box({{-1, 0.15f, -1}, {1, 1, 1}})).size() == 25);
    OK(scene.body.teleport({5.0f, 0.0f, 0.0f}));
    CHECK(GET(scene.body.particles_in_sphere({}, 0.11f)).empty());
    CHECK(GET(scene.body.particles_in_sphere({}, 0.11f, Space::rest)).size() == 7);
    CHECK(GET(scene.body.nearest_particle({5.0f, 0.0f, 0.0f})) == 62);
    REFUSED(invalid_argument, scene.body.particles_in_sphere({}, NAN));
}

void attachments_hold_break_and_end() {
    Scene scene;
    OK(scene.world.set_gravity({0.0f, -9.81f, 0.0f}));
    std::vector<uint32_t> top = GET(scene.body.particles_in_box({{-1, 0.15f, -1}, {1, 1, 1}}));
    {
        Attachment held = GET(scene.body.attach(top));
        CHECK(GET(scene.world.attachments()).size() == 1 && GET(scene.world.attachments())[0] == held);
        run(scene.world, 60);
        CHECK(GET(held.impulse()).impulse.y < 0.0f && GET(scene.body.centre_of_mass()).y > -0.1f);
        for (int i = 1; i <= 100; i++) {
            OK(held.move_to({0.01f * float(i), 0.0f, 0.0f}));
            run(scene.world, 1);
        }
        CHECK(std::fabs(GET(scene.body.centre_of_mass()).x - 1.0f) < 0.1f);
        // Both jump at once, without speed.
        OK(scene.body.teleport({40.0f, 0.0f, 0.0f}));
        OK(held.set_pose({40.0f, 0.0f, 0.0f}));
        run(scene.world, 1);
        CHECK(GET(scene.body.kinetic_energy()) < 1.0f);
        // What is owned lets go at the end of its life, even while the world steps.
        OK(scene.world.step_begin(0.01f));
    }
    OK(scene.world.step_wait());
    CHECK(GET(scene.world.attachments()).empty());
    AttachmentDef weak;
    weak.break_force = 1.0f;
    AttachmentRef kept = GET(scene.body.attach(top, weak)).detach();
    run(scene.world, 1);
    auto broken = GET(scene.world.broken_attachments());
    CHECK(broken.size() == 1 && broken[0] == kept && GET(scene.world.attachments()).empty());
    REFUSED(stale_handle, kept.destroy());
}

void bodies_are_joined_and_dragged() {
    Scene scene;
    BodyDef def;
    def.position.x = 1.0f;
    Body other = GET(scene.world.create_body(scene.shape, def));
    JointDef joint;
    joint.point.x = 0.2f;
    joint.other_point.x = 0.8f;
    Attachment chain = GET(scene.body.join(other, joint));
    DragDef drag;
    drag.point.x = 1.2f;
    drag.radius = 0.15f;
    drag.max_force = 30.0f;
    Attachment hand = GET(other.drag(drag));
    OK(hand.move_to({3.0f, 0.0f, 0.0f}));
    run(scene.world, 240);
    // The hand holds its point 0.2 m from the centre, and the chain keeps 0.6 m between points as far from theirs.
    float dragged = GET(other.centre_of_mass()).x, towed = GET(scene.body.centre_of_mass()).x;
    CHECK(std::fabs(dragged - 3.0f) < 0.3f && towed > 1.5f && std::fabs(dragged - towed) < 1.1f);
    REFUSED(invalid_argument, chain.move_to({}));
    Scene elsewhere;
    REFUSED(invalid_argument, scene.body.join(elsewhere.body, joint));
}

void fields_blow_pull_and_lift() {
    Scene scene;
    Field wind = GET(scene.world.create_field(FieldDef::wind({2.0f, 0.0f, 0.0f}, 5.0f)));
    run(scene.world, 120);
    CHECK(std::fabs(GET(scene.body.velocities())[0].x - 2.0f) < 0.1f);
    FieldDef changed = GET(wind.definition());
    CHECK(changed.drag == 5.0f && changed.kind == WOBBLE_FIELD_WIND);
    changed.velocity.x = 0.0f;
    OK(wind.set_definition(changed));
    CHECK(GET(scene.world.fields()).size() == 1 && GET(scene.world.fields())[0] == wind);
    Field well = GET(scene.world.create_field(FieldDef::attractor({0.0f, 9.0f, 0.0f}, 5.0f, 20.0f)));
    Field sea = GET(scene.world.create_field(FieldDef::buoyancy(0.0f, 2.0f, 1.0f)));
    run(scene.world, 30);
    CHECK(GET(scene.body.velocities())[0].y > 0.2f);
    OK(sea.destroy());
    CHECK(GET(scene.world.fields()).size() == 2);
    OK(scene.body.reset());
    Vec3 below = GET(scene.body.centre_of_mass());
    below.y -= 1.0f;
    OK(scene.world.explode(below, 2.0f, 10.0f));
    CHECK(GET(scene.body.velocities())[62].y > 3.0f);
    REFUSED(invalid_argument, scene.world.create_field(FieldDef::attractor({}, 1.0f, -1.0f)));
}

void queries_find_bodies_and_colliders() {
    Scene scene;
    ColliderDef def;
    def.kind = WOBBLE_COLLIDER_SPHERE;
    def.position.x = 3.0f;
    Collider ball = GET(scene.world.create_collider(def));
    Hit hit = GET(scene.world.cast_ray({-5.0f, 0.01f, 0.01f}, {1.0f, 0.0f, 0.0f}, 100.0f));
    CHECK(hit && BodyRef(hit.body) == scene.body && hit.particle < 125);
    hit = GET(scene.world.closest_point({2.0f, 0.0f, 0.0f}, 10.0f));
    CHECK(hit && hit.collider.bits == ball.handle().bits && near(hit.distance, 0.5f));
    CHECK(!GET(scene.world.cast_ray({0.0f, 5.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 100.0f)));
    CHECK(!GET(scene.world.cast_ray({-5.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 100.0f, Groups{1, 2})));
    CHECK(GET(scene.world.overlap_sphere({1.5f, 0.0f, 0.0f}, 1.4f)).size() == 2);
    CHECK(GET(scene.world.overlap_box({}, {0.1f, 0.1f, 0.1f})).size() == 1);
    REFUSED(invalid_argument, scene.world.cast_ray({}, {}, 1.0f));
    CHECK(GET(scene.world.colliders()).size() == 1 && GET(ball.definition()).kind == WOBBLE_COLLIDER_SPHERE);
}

void what_was_set_can_be_asked() {
    Scene scene;
    OK(scene.body.set_surface(0.1f, 0.2f, WOBBLE_COMBINE_MAXIMUM));
    OK(scene.body.set_touch(Touch{0.25f, true, false}));
    Touch touch = GET(scene.body.touch());
    CHECK(touch.parting == 0.25f && touch.itself && !touch.proxies);
    Surface surface = GET(scene.body.surface());
    CHECK(surface.friction == 0.1f && surface.restitution == 0.2f && surface.combine == WOBBLE_COMBINE_MAXIMUM);
    OK(scene.body.set_groups(3, 5));
    Groups groups = GET(scene.body.groups());
    CHECK(groups.group == 3 && groups.mask == 5);
    OK(scene.body.set_particle_radius(0.5f));
    CHECK(GET(scene.body.particle_radius()) == 0.5f && !GET(scene.body.is_touching()));
    OK(scene.world.set_contact_reporting(0.5f, 7));
    CHECK(GET(scene.world.contact_reporting()).most == 7);
    OK(scene.body.set_velocity({1.0f, 0.0f, 0.0f}));
    CHECK(near(GET(scene.body.position_of(124)).x, 0.2f) && GET(scene.body.velocity_of(3)).x == 1.0f);
    CHECK(GET(GET(scene.world.create_collider()).is_solid()));
}

void particles_are_painted_and_carry_meshes() {
    std::vector<Vec3> points = cube_points();
    std::vector<float> twos(points.size(), 2.0f), pins(points.size(), 0.0f);
    pins[4] = 1.0f;
    SolidMesh mesh = GET(Solid::ball(0.3f).with_cells(8).mesh());
    Particles particles(points);
    particles.with_masses(twos).with_stiffness(twos).with_damping(twos).with_pin(pins).with_toughness(twos);
    Shape shape = GET(Shape::from_particles(particles, mesh.as_mesh()));
    CHECK(near(GET(shape.mass()), 250.0f) && near(GET(shape.spacing()), 0.1f));
    CHECK(GET(shape.pins()) == std::vector<uint32_t>{4} && GET(shape.normals()).size() == mesh.normals.size());
    REFUSED(invalid_argument, shape.tangents());
    Shape plain = GET(Shape::from_particles(Particles(points)));
    CHECK(GET(plain.vertex_count()) == 0 && GET(plain.fingerprint()) != GET(shape.fingerprint()));
    Shape tough = GET(Shape::from_particles(Particles(points).with_toughness(twos)));
    CHECK(GET(tough.fingerprint()) != GET(plain.fingerprint()));
    pins.pop_back();
    REFUSED(invalid_argument, Shape::from_particles(Particles(points).with_pin(pins)));
}

}  // namespace

int main() {
    particles_are_chosen();
    attachments_hold_break_and_end();
    bodies_are_joined_and_dragged();
    fields_blow_pull_and_lift();
    queries_find_bodies_and_colliders();
    what_was_set_can_be_asked();
    particles_are_painted_and_carry_meshes();
    return verdict();
}
