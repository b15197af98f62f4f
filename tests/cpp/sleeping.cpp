// Sleep through the C++ header.
#include "check.hpp"

namespace {

using namespace wobble;

void a_body_sleeps_and_wakes() {
    World world = calm_world();
    OK(world.set_gravity({0.0f, 0.0f, 0.0f}));
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    std::size_t told = 0;
    for (int i = 0; i < 60; i++) {
        OK(world.step(1.0f / 60.0f));
        told += GET(world.slept()).size();
    }
    CHECK(told == 1 && GET(body.is_sleeping()) && GET(body.can_sleep()));
    OK(body.wake());
    OK(world.step(1.0f / 60.0f));
    auto woke = GET(world.woke());
    CHECK(woke.size() == 1 && woke[0] == body && !GET(body.is_sleeping()));
    OK(body.put_to_sleep());
    OK(world.wake_all());
    CHECK(!GET(body.is_sleeping()));
    OK(body.set_can_sleep(false));
    CHECK(!GET(body.can_sleep()));
    OK(world.set_sleeping(false));
    CHECK(!GET(world.sleeping()).enabled && near(GET(world.sleeping()).speed, 0.03f));
    REFUSED(invalid_argument, world.set_sleeping(true, -1.0f));
}

}  // namespace

int main() {
    a_body_sleeps_and_wakes();
    return verdict();
}
