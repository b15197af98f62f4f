// What the tests of wobble.hpp share. They are compiled twice, with exceptions and with
// -fno-exceptions -DWOBBLE_NO_EXCEPTIONS; `attempt` hides how errors are told.

#ifndef CHECK_HPP
#define CHECK_HPP

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "wobble.hpp"

using namespace wobble;
using std::uint32_t;
using std::uint8_t;

inline int failures = 0;

inline void judge(bool good, const char* what, int line) {
    if (good) return;
    std::printf("line %d: %s; last error: %s\n", line, what, last_error());
    failures++;
}

#define CHECK(...) judge(bool(__VA_ARGS__), #__VA_ARGS__, __LINE__)
// The call succeeds.
#define OK(...) judge(attempt([&] { return __VA_ARGS__; }).ok(), #__VA_ARGS__, __LINE__)
// The call is refused with a status.
#define REFUSED(code, ...) judge(refused(attempt([&] { return __VA_ARGS__; }), Status::code), #__VA_ARGS__, __LINE__)
// What the call returns; it must succeed.
#define GET(...) get(attempt([&] { return __VA_ARGS__; }), #__VA_ARGS__, __LINE__)

template <class T>
T get(Result<T> result, const char* what, int line) {
    judge(result.ok(), what, line);
    return std::move(*result);
}

template <class T>
bool refused(const Result<T>& result, Status status) {
    return !result && !result.ok() && result.status() == status && std::strlen(result.message()) > 0;
}

inline bool near(float a, float b) { return std::fabs(a - b) < 1e-4f; }

inline std::vector<Vec3> cube_points(int side = 5) {
    std::vector<Vec3> points;
    for (int i = 0; i < side * side * side; i++)
        points.push_back({0.1f * float(i % side), 0.1f * float(i / side % side), 0.1f * float(i / side / side)});
    return points;
}

inline Shape cube() {
    ShapeDef def;
    def.threads = 1;
    return GET(Shape::from_points(cube_points(), def));
}

inline World calm_world() {
    WorldDef def;
    def.threads = 1;
    return GET(World::create(def));
}

// For the end of main.
inline int verdict() {
    if (failures == 0) std::printf("all well\n");
    return failures != 0;
}

#endif
