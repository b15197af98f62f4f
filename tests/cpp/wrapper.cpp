// Tests wobble.hpp: what its owners own, how errors are told, callbacks.

#include <array>
#include <string>
#include <thread>
#include <type_traits>

#include "check.hpp"

namespace {

void types_are_light_and_move_without_fail() {
    static_assert(sizeof(World) == 8 && sizeof(Body) == 8 && sizeof(Shape) == 8);
    static_assert(std::is_nothrow_move_constructible_v<World> && std::is_nothrow_move_assignable_v<World>);
    static_assert(std::is_nothrow_move_constructible_v<Body> && std::is_nothrow_move_assignable_v<Body>);
    static_assert(std::is_nothrow_move_constructible_v<Shape> && std::is_nothrow_move_assignable_v<Shape>);
    static_assert(std::is_nothrow_move_constructible_v<Collider> && std::is_nothrow_move_assignable_v<Collider>);
    static_assert(!std::is_copy_constructible_v<World> && !std::is_copy_constructible_v<Body>);
    static_assert(!std::is_copy_constructible_v<Collider> && std::is_nothrow_copy_constructible_v<Shape>);
    static_assert(std::is_trivially_copyable_v<BodyRef> && std::is_trivially_copyable_v<WorldRef>);
}

void the_library_tells_what_it_is() {
    CHECK(abi_version() == WOBBLE_ABI_VERSION);
    CHECK(std::strlen(version()) > 0);
    CHECK(std::string(name(Status::stale_handle)) == "STALE_HANDLE");
    CHECK(std::string(name(Status(999))) == "UNKNOWN");
}

void a_world_keeps_its_settings() {
    WorldDef def;
    def.threads = 1;
    def.substeps = 3;
    World world = GET(World::create(def));
    CHECK(GET(world.substeps()) == 3 && GET(world.threads()) == 1);
    OK(world.set_substeps(2));
    OK(world.set_threads(2));
    OK(world.set_gravity({1.0f, 2.0f, 3.0f}));
    CHECK(GET(world.substeps()) == 2 && GET(world.threads()) == 2);
    Vec3 gravity = GET(world.gravity());
    CHECK(gravity.x == 1.0f && gravity.y == 2.0f && gravity.z == 3.0f);
    def.substeps = 0;
    REFUSED(invalid_argument, World::create(def));
    WobbleWorldDef unfilled{};
    REFUSED(struct_size, World::create(unfilled));
    REFUSED(invalid_argument, world.set_gravity({NAN, 0.0f, 0.0f}));
}

void a_world_counts_and_steps() {
    World world = calm_world();
    Collider ground = GET(world.create_collider());
    Shape shape = cube();
    Body body = GET(world.create_body(shape));
    OK(world.step(1.0f / 60.0f));
    Profile profile = GET(world.profile());
    CHECK(profile.struct_size == sizeof(Profile) && profile.substeps == 4 && profile.total > 0.0f);
    Statistics statistics = GET(world.statistics());
    CHECK(statistics.bodies == 1 && statistics.colliders == 1 && statistics.particles == 125);
    CHECK(GET(world.body_count()) == 1);
    std::vector<BodyRef> bodies = GET(world.bodies());
    CHECK(bodies.size() == 1 && bodies[0] == body && !(bodies[0] != body));
    auto before = GET(world.state_hash());
    OK(world.step(1.0f / 60.0f));
    CHECK(GET(world.state_hash()) != before);
    REFUSED(invalid_argument, world.step(-1.0f));
    CHECK(GET(body.world()) == world && GET(GET(body.world()).threads()) == 1);
}

void what_is_empty_or_moved_from_is_refused() {
    World empty;
    CHECK(!empty);
    REFUSED(null_handle, empty.step(0.1f));
    REFUSED(null_handle, Body().positions());
    REFUSED(null_handle, Shape().mass());
    REFUSED(null_handle, Collider().destroy());

    World world = calm_world();
    World moved = std::move(world);
    CHECK(moved && !world);
    REFUSED(null_handle, world.step(0.1f));
    Shape shape = cube();
    Body body = GET(moved.create_body(shape));
    Body taken;
    taken = std::move(body);
    REFUSED(null_handle, body.reset());
    OK(taken.reset());
    Body& same = taken;
    taken = std::move(same);
    OK(taken.reset());
    Collider collider = GET(moved.create_collider());
    Collider held = std::move(collider);
    CHECK(held && !collider);
    REFUSED(null_handle, moved.create_body(Shape()));
}

void bodies_end_with_their_owner_and_not_before() {
    World world = calm_world();
    Shape shape = cube();
    BodyRef left;
    {
        Body body = GET(world.create_body(shape));
        Body kept = GET(world.create_body(shape));
        CHECK(GET(world.body_count()) == 2);
        left = kept.detach();
        CHECK(!kept);
    }
    CHECK(GET(world.body_count()) == 1);
    OK(left.reset());
    { Body owner(left); }
    CHECK(GET(world.body_count()) == 0);
    REFUSED(stale_handle, left.reset());

    Body replaced = GET(world.create_body(shape));
    replaced = GET(world.create_body(shape));
    CHECK(GET(world.body_count()) == 1);
    OK(replaced.destroy());
    REFUSED(stale_handle, replaced.positions());
    REFUSED(stale_handle, replaced.destroy());
}

void colliders_end_with_their_owner() {
    World world = calm_world();
    ColliderDef wall;
    wall.normal = {1.0f, 0.0f, 0.0f};
    {
        Collider ground = GET(world.create_collider());
        Collider second = GET(world.create_collider(wall));
        CHECK(GET(world.statistics()).colliders == 2);
        OK(second.destroy());
        REFUSED(stale_handle, second.destroy());
        CHECK(second.handle().bits != 0);
    }
    CHECK(GET(world.statistics()).colliders == 0);
    wall.normal = {0.0f, 0.0f, 0.0f};
    REFUSED(invalid_argument, world.create_collider(wall));
}

void bodies_outlive_their_world_in_peace() {
    Body body;
    Collider collider;
    WorldRef gone;
    {
        World world = calm_world();
        body = GET(world.create_body(cube()));
        collider = GET(world.create_collider());
        gone = world;
    }
    REFUSED(stale_handle, body.positions());
    REFUSED(stale_handle, gone.step(0.1f));
    World world = calm_world();
    OK(world.destroy());
    REFUSED(stale_handle, world.destroy());
    World left(calm_world().detach());
    OK(left.step(0.1f));
}

void copies_of_a_shape_share_it() {
    Shape shape = cube();
    WobbleShape handle = shape.handle();
    Shape copy = shape;
    Shape second;
    second = copy;
    CHECK(copy.handle().bits == handle.bits && second.handle().bits == handle.bits);
    shape = Shape();
    copy = Shape();
    CHECK(GET(second.particle_count()) == 125);
    Shape& same = second;
    second = same;
    second = std::move(same);
    CHECK(GET(second.particle_count()) == 125);
    Shape adopted = Shape::adopt(second.detach());
    CHECK(!second && GET(adopted.particle_count()) == 125);
    adopted = Shape();
    Shape stale = Shape::adopt(handle);
    REFUSED(stale_handle, stale.mass());
    CHECK(!Shape(stale));
    stale.detach();
    std::vector<Shape> many(3, cube());
    many.erase(many.begin());
    CHECK(GET(many[1].particle_count()) == 125);
}

void progress_is_told_and_can_cancel() {
    int calls = 0;
    float last = -1.0f;
    bool rising = true;
    Shape shape = GET(Shape::from_points(cube_points(), ShapeDef(), [&](float fraction) {
        rising = rising && fraction >= last;
        last = fraction;
        calls++;
        return true;
    }));
    CHECK(calls > 0 && rising && last <= 1.0f);
    REFUSED(cancelled, Shape::from_points(cube_points(), ShapeDef(), [](float) { return false; }));
    auto rough = [](float) { return true; };
    OK(Shape::from_points(cube_points(), ShapeDef(), rough));
}

void freeze_one() {
    World world = calm_world();
    std::vector<Vec3> points = cube_points(3);
    for (Vec3& p : points) p = {p.x * 5e9f, p.y * 5e9f, p.z * 5e9f};
    Shape shape = GET(Shape::from_points(points, std::vector<float>(points.size(), 1e8f)));
    Material material;
    material.stiffness_kind = WOBBLE_STIFFNESS_PER_STEP;
    material.stiffness = 0.0f;
    material.damping = 0.0f;
    material.goals = WOBBLE_GOALS_QUADRATIC;
    material.goals_beta = 0.5f;
    BodyDef def;
    def.material = &material;
    Body body = GET(world.create_body(shape, def));
    for (int i = 0; i < 300 && !GET(body.is_frozen()); i++) {
        for (uint32_t particle = 0; particle < points.size(); particle++) {
            float v = particle < 13 ? 1e9f : -1e9f;
            OK(body.set_velocity_of(particle, {v, v, v}));
        }
        OK(world.step(10.0f));
    }
    CHECK(GET(body.is_frozen()));
}

void the_log_reaches_a_function() {
    std::string heard;
    Severity severity{};
    set_log([&](Severity s, const char* message) {
        severity = s;
        heard += message;
    });
    freeze_one();
    CHECK(severity == Severity::warning && heard.find("body") != std::string::npos);
    heard.clear();
    set_log([&](Severity, const char*) { set_log(nullptr); });
    freeze_one();
    freeze_one();
    CHECK(heard.empty());
    set_log(nullptr);
}

void threads_share_worlds_and_shapes() {
    World world = calm_world();
    Shape shape = cube();
    std::array<std::thread, 4> threads;
    std::array<int, 4> bad{};
    for (std::size_t t = 0; t < threads.size(); t++)
        threads[t] = std::thread([&, t] {
            for (int i = 0; i < 20; i++) {
                Shape copy = shape;
                auto body = attempt([&] { return world.create_body(copy); });
                bad[t] += !body || !attempt([&] { return world.step(0.01f); });
                bad[t] += attempt([&] { return body->pin(999); }).status() != Status::invalid_argument;
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (int count : bad) CHECK(count == 0);
    CHECK(GET(world.body_count()) == 0);
}

#ifdef WOBBLE_NO_EXCEPTIONS

void errors_are_results() {
    Result<World> made = World::create();
    CHECK(made && made.ok() && made.status() == Status::ok && std::string(made.message()).empty());
    Result<void> stepped = made->step(-1.0f);
    CHECK(!stepped && stepped.status() == Status::invalid_argument && std::strstr(stepped.message(), "-1"));
    CHECK(Body().shape_error().value_or(5.0f) == 5.0f && !*Body().shape());
}

#else

void errors_are_exceptions() {
    World world = World::create();
    bool caught = false;
    try {
        world.step(-1.0f);
    } catch (const std::runtime_error& error) {
        auto told = dynamic_cast<const Error*>(&error);
        caught = told && told->status() == Status::invalid_argument && std::strstr(error.what(), "-1");
    }
    CHECK(caught);
}

void what_progress_throws_comes_out() {
    for (int kind = 0; kind < 2; kind++) {
        int caught = 0, calls = 0;
        try {
            Shape shape = Shape::from_points(cube_points(), ShapeDef(), [&](float) -> bool {
                calls++;
                if (kind == 0) throw 42;
                throw std::string("enough");
            });
        } catch (int number) {
            caught = number;
        } catch (const std::string& text) {
            caught = text == "enough" ? 43 : 0;
        }
        CHECK(caught == 42 + kind && calls == 1);
    }
    OK(Shape::from_points(cube_points()));
}

void what_the_log_throws_is_dropped() {
    int heard = 0;
    set_log([&](Severity, const char*) {
        heard++;
        throw 1;
    });
    freeze_one();
    CHECK(heard == 1);
    set_log(nullptr);
}

#endif

}  // namespace

int main() {
    types_are_light_and_move_without_fail();
    the_library_tells_what_it_is();
    a_world_keeps_its_settings();
    a_world_counts_and_steps();
    what_is_empty_or_moved_from_is_refused();
    bodies_end_with_their_owner_and_not_before();
    colliders_end_with_their_owner();
    bodies_outlive_their_world_in_peace();
    copies_of_a_shape_share_it();
    progress_is_told_and_can_cancel();
    the_log_reaches_a_function();
    threads_share_worlds_and_shapes();
#ifdef WOBBLE_NO_EXCEPTIONS
    errors_are_results();
#else
    errors_are_exceptions();
    what_progress_throws_comes_out();
    what_the_log_throws_is_dropped();
#endif
    return verdict();
}
