// Solids by rule or by a function: their meshes, and what Shape::from_solid() fills.

#ifndef WOBBLE_SOLID_HPP
#define WOBBLE_SOLID_HPP

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "mesh.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// The closed surface of a solid.
struct SolidMesh {
    std::vector<Vec3> positions, normals;
    std::vector<std::uint32_t> indices;
    // For Shape::from_mesh(), while this lives.
    Mesh as_mesh() const noexcept { return Mesh(positions, indices).with_normals(normals); }
};

namespace detail {

// A distance function, and what it threw first.
struct Distance {
    std::function<float(Vec3)> function;
#if WOBBLE_DETAIL_CATCHES
    std::mutex lock{};
    std::exception_ptr thrown = nullptr;
#endif

    static float tell(float x, float y, float z, void* user) {
        auto& self = *static_cast<Distance*>(user);
#if WOBBLE_DETAIL_CATCHES
        try {
            return self.function(Vec3{x, y, z});
        } catch (...) {
            std::lock_guard<std::mutex> held(self.lock);
            if (!self.thrown) self.thrown = std::current_exception();
            return std::numeric_limits<float>::quiet_NaN();
        }
#else
        return self.function(Vec3{x, y, z});
#endif
    }
};

}  // namespace detail

// A solid about the origin, y up. Copies share a distance function.
class Solid : public WobbleSolidDef {
public:
    static Solid ball(float radius) noexcept { return Solid(WOBBLE_SOLID_BALL, radius, 0.0f); }
    static Solid box(Vec3 size) noexcept {
        Solid solid(WOBBLE_SOLID_BOX, 0.0f, 0.0f);
        solid.size = size;
        return solid;
    }
    static Solid capsule(float radius, float height) noexcept { return Solid(WOBBLE_SOLID_CAPSULE, radius, height); }
    static Solid torus(float radius, float tube) noexcept {
        Solid solid(WOBBLE_SOLID_TORUS, radius, 0.0f);
        solid.tube = tube;
        return solid;
    }
    static Solid cylinder(float radius, float height) noexcept {
        return Solid(WOBBLE_SOLID_CYLINDER, radius, height);
    }
    static Solid gummy_bear(float height) noexcept { return Solid(WOBBLE_SOLID_GUMMY_BEAR, 0.0f, height); }
    // `function` takes a point and returns metres to the surface, less than zero inside. Many threads call it
    // at once unless on_threads(1) is asked for. What it throws comes out of the call that asked.
    static Solid from_distance(Vec3 low, Vec3 high, std::function<float(Vec3)> function) {
        Solid solid(WOBBLE_SOLID_DISTANCE, 0.0f, 0.0f);
        solid.low = low;
        solid.high = high;
        if (!function) return solid;
        solid.function_ = std::make_shared<detail::Distance>();
        solid.function_->function = std::move(function);
        solid.WobbleSolidDef::distance = detail::Distance::tell;
        solid.distance_user = solid.function_.get();
        return solid;
    }
    Solid& with_cells(std::uint32_t count) noexcept { return cells = count, *this; }
    Solid& on_threads(std::uint32_t count) noexcept { return threads = count, *this; }

    Returns<float> distance_at(Vec3 point) const {
        float metres = 0.0f;
        WobbleStatus status = wobble_solid_distance(this, &point, &metres);
        rethrow();
        return detail::give<float>(status, std::move(metres));
    }
    Returns<Bounds> bounds() const { return detail::get<Bounds>(wobble_solid_bounds, this); }
    Returns<SolidMesh> mesh() const {
        SolidMesh mesh;
        std::uint32_t vertices = 0, corners = 0;
        WobbleStatus status = wobble_solid_mesh_size(this, &vertices, &corners);
        if (status == WOBBLE_STATUS_OK) {
            mesh.positions.resize(vertices);
            mesh.normals.resize(vertices);
            mesh.indices.resize(corners);
            status = wobble_solid_mesh(this, detail::floats(mesh.positions.data()),
                                       detail::floats(mesh.normals.data()), 0, vertices, mesh.indices.data(), corners);
        }
        rethrow();
        return detail::give<SolidMesh>(status, std::move(mesh));
    }
    // Throws what the distance function threw since this was last asked.
    void rethrow() const {
#if WOBBLE_DETAIL_CATCHES
        if (!function_) return;
        std::unique_lock<std::mutex> held(function_->lock);
        std::exception_ptr thrown = std::exchange(function_->thrown, nullptr);
        held.unlock();
        if (thrown) std::rethrow_exception(thrown);
#endif
    }

private:
    Solid(std::uint32_t which, float across, float up) noexcept : WobbleSolidDef{} {
        wobble_solid_def_init(this, sizeof(WobbleSolidDef));
        kind = which;
        radius = across;
        height = up;
    }
    std::shared_ptr<detail::Distance> function_;
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_SOLID_HPP
