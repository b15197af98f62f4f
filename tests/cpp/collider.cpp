// Colliders and contacts through the C++ header.
#include "check.hpp"

namespace {

using namespace wobble;

void a_collider_is_moved_and_asked() {
    World world = calm_world();
    ColliderDef def;
    def.kind = WOBBLE_COLLIDER_SPHERE;
    def.radius = 2.0f;
    Collider sphere = GET(world.create_collider(def));
    OK(sphere.set_pose({1.0f, 2.0f, 3.0f}));
    Pose pose = GET(sphere.pose());
    CHECK(near(pose.position.y, 2.0f) && near(pose.rotation.w, 1.0f));
    OK(sphere.move_to({1.0f, 2.5f, 3.0f}));
    OK(world.step(0.1f));
    CHECK(near(GET(sphere.pose()).position.y, 2.5f));
    OK(sphere.set_velocity({1.0f, 0.0f, 0.0f}));
    OK(world.step(0.5f));
    CHECK(near(GET(sphere.pose()).position.x, 1.5f));
    OK(sphere.set_conveyor({0.0f, 0.0f, 1.0f}));
    OK(sphere.set_surface(0.1f, 0.2f, WOBBLE_COMBINE_MAXIMUM));
    OK(sphere.set_groups(2, 4));
    OK(sphere.set_enabled(false));
    REFUSED(invalid_argument, sphere.set_surface(-1.0f, 0.0f));
    CHECK(GET(sphere.impulse()).impulse.x == 0.0f);
}

void contacts_are_told() {
    World world = calm_world();
    OK(world.set_gravity({0.0f, -9.81f, 0.0f}));
    Collider ground = GET(world.create_collider());
    Shape shape = cube();
    BodyDef def;
    def.position.y = 0.5f;
    Body body = GET(world.create_body(shape, def));
    OK(body.set_surface(0.5f, 0.0f));
    OK(body.set_groups(1, 1));
    OK(body.set_particle_radius(0.0f));
    for (int i = 0; i < 60; i++) OK(world.step(1.0f / 60.0f));
    auto contacts = GET(world.contacts());
    CHECK(contacts.size() == 1 && contacts[0].phase == WOBBLE_CONTACT_STAY);
    CHECK(contacts[0].other_collider.bits == ground.handle().bits && contacts[0].normal.y > 0.99f);
    CHECK(GET(ground.impulse()).impulse.y < 0.0f);
    OK(world.set_bodies_meet(true));
    CHECK(GET(world.bodies_meet()));
    OK(world.set_contact_reporting(0.0f, 0));
    OK(world.step(1.0f / 60.0f));
    CHECK(GET(world.contacts()).empty());
}

}  // namespace

int main() {
    a_collider_is_moved_and_asked();
    contacts_are_told();
    return verdict();
}
