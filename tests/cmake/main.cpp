// The smallest host that uses the C++ header and the library.
#include <cstdio>
#include <wobble.hpp>

int main() {
    auto world = wobble::World::create();
    world.step(1.0f / 60.0f);
    std::printf("wobble %s, %u bodies\n", wobble_version(), static_cast<unsigned>(world.body_count()));
    return 0;
}
