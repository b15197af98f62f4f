// Meshes: shapes filled from them, and where they go when they are deformed.

#ifndef WOBBLE_MESH_HPP
#define WOBBLE_MESH_HPP

#include <cstdint>

#include "calls.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// A tangent: a direction of unit length, and 1 or -1 for the side of the bitangent.
struct Vec4 {
    float x, y, z, w;
};

// Three rows of four: from rest space to world space.
struct Matrix {
    float rows[3][4];
};

// Which finest clusters carry a vertex, largest weight first.
struct Influences {
    std::uint32_t clusters[WOBBLE_INFLUENCES];
    float weights[WOBBLE_INFLUENCES];
};

struct SamplingDef : WobbleSamplingDef {
    SamplingDef() noexcept : WobbleSamplingDef{} { wobble_sampling_def_init(this, sizeof(WobbleSamplingDef)); }
};

// A mesh in the host's memory: Mesh(positions, indices), then what else there is.
class Mesh : public WobbleMeshDef {
public:
    Mesh() noexcept : WobbleMeshDef{} { wobble_mesh_def_init(this, sizeof(WobbleMeshDef)); }
    Mesh(view<const Vec3> points, span<const std::uint32_t> corners) noexcept : Mesh() {
        place(points);
        index(corners.data(), corners.size(), 4);
    }
    Mesh(view<const Vec3> points, span<const std::uint16_t> corners) noexcept : Mesh() {
        place(points);
        index(corners.data(), corners.size(), 2);
    }
    // Each of these must be as many as the positions.
    Mesh& with_normals(view<const Vec3> all) noexcept { return with(all, &WobbleMeshDef::normals, &WobbleMeshDef::normals_stride); }
    Mesh& with_tangents(view<const Vec4> all) noexcept { return with(all, &WobbleMeshDef::tangents, &WobbleMeshDef::tangents_stride); }
    Mesh& with_stiffness(view<const float> map) noexcept {
        return with(map, &WobbleMeshDef::stiffness, &WobbleMeshDef::stiffness_stride);
    }
    Mesh& with_damping(view<const float> map) noexcept {
        return with(map, &WobbleMeshDef::damping, &WobbleMeshDef::damping_stride);
    }
    Mesh& with_pin(view<const float> map) noexcept { return with(map, &WobbleMeshDef::pin, &WobbleMeshDef::pin_stride); }
    Mesh& with_density(view<const float> map) noexcept {
        return with(map, &WobbleMeshDef::density, &WobbleMeshDef::density_stride);
    }
    Mesh& with_toughness(view<const float> map) noexcept {
        return with(map, &WobbleMeshDef::toughness, &WobbleMeshDef::toughness_stride);
    }
    // Whether every list that was given has one element for each vertex.
    bool is_even() const noexcept { return even_; }

private:
    void place(view<const Vec3> points) noexcept {
        vertex_count = detail::count32(points.size());
        positions = points.floats();
        positions_stride = detail::count32(points.stride());
    }
    void index(const void* corners, std::size_t count, std::uint32_t size) noexcept {
        indices = corners;
        index_count = detail::count32(count);
        index_size = size;
    }
    template <class T>
    Mesh& with(view<const T> all, const float* WobbleMeshDef::*list, std::uint32_t WobbleMeshDef::*stride) noexcept {
        even_ = even_ && all.size() == vertex_count;
        this->*list = all.floats();
        this->*stride = detail::count32(all.stride());
        return *this;
    }

    bool even_ = true;
};

// Particles in the host's memory: Particles(points), then what else there is.
class Particles : public WobbleParticlesDef {
public:
    explicit Particles(view<const Vec3> all) noexcept : WobbleParticlesDef{} {
        wobble_particles_def_init(this, sizeof(WobbleParticlesDef));
        count = detail::count32(all.size());
        points = all.floats();
        points_stride = detail::count32(all.stride());
    }
    // Each of these must be as many as the points.
    Particles& with_masses(view<const float> all) noexcept {
        return with(all, &WobbleParticlesDef::masses, &WobbleParticlesDef::masses_stride);
    }
    Particles& with_stiffness(view<const float> map) noexcept {
        return with(map, &WobbleParticlesDef::stiffness, &WobbleParticlesDef::stiffness_stride);
    }
    Particles& with_damping(view<const float> map) noexcept {
        return with(map, &WobbleParticlesDef::damping, &WobbleParticlesDef::damping_stride);
    }
    Particles& with_pin(view<const float> map) noexcept {
        return with(map, &WobbleParticlesDef::pin, &WobbleParticlesDef::pin_stride);
    }
    Particles& with_toughness(view<const float> map) noexcept {
        return with(map, &WobbleParticlesDef::toughness, &WobbleParticlesDef::toughness_stride);
    }
    bool is_even() const noexcept { return even_; }

private:
    Particles& with(view<const float> all, const float* WobbleParticlesDef::*list,
                    std::uint32_t WobbleParticlesDef::*stride) noexcept {
        even_ = even_ && all.size() == count;
        this->*list = all.floats();
        this->*stride = detail::count32(all.stride());
        return *this;
    }

    bool even_ = true;
};

// Where a deformed mesh goes: any of these, all for as many vertices or more.
class SkinBuffers : public WobbleSkinBuffers {
public:
    SkinBuffers() noexcept : WobbleSkinBuffers{} {
        wobble_skin_buffers_init(this, sizeof(WobbleSkinBuffers));
        capacity = UINT32_MAX;
    }
    SkinBuffers& to_positions(view<Vec3> all) noexcept {
        return to(all, &WobbleSkinBuffers::positions, &WobbleSkinBuffers::positions_stride);
    }
    SkinBuffers& to_normals(view<Vec3> all) noexcept {
        return to(all, &WobbleSkinBuffers::normals, &WobbleSkinBuffers::normals_stride);
    }
    SkinBuffers& to_tangents(view<Vec4> all) noexcept {
        return to(all, &WobbleSkinBuffers::tangents, &WobbleSkinBuffers::tangents_stride);
    }
    SkinBuffers& to_previous(view<Vec3> all) noexcept {
        return to(all, &WobbleSkinBuffers::previous, &WobbleSkinBuffers::previous_stride);
    }
    // Between the last two steps: 0 is before the last one, 1 is now.
    SkinBuffers& at(float when) noexcept { return fraction = when, *this; }
    // In the space that `from_world` leads to, which must live until the read.
    SkinBuffers& in(const Matrix& from_world) noexcept {
        return frame = reinterpret_cast<const float*>(&from_world), *this;
    }

private:
    template <class T>
    SkinBuffers& to(view<T> all, float* WobbleSkinBuffers::*list, std::uint32_t WobbleSkinBuffers::*stride) noexcept {
        this->*list = all.floats();
        this->*stride = detail::count32(all.stride());
        if (all.size() < capacity) capacity = detail::count32(all.size());
        return *this;
    }
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_MESH_HPP
