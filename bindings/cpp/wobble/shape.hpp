// Rest shapes.

#ifndef WOBBLE_SHAPE_HPP
#define WOBBLE_SHAPE_HPP

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "solid.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// A reference to a rest shape; copies share it.
class [[nodiscard]] Shape {
public:
    Shape() noexcept = default;
    Shape(const Shape& other) noexcept {
        if (wobble_shape_retain(other.handle_) == WOBBLE_STATUS_OK) handle_ = other.handle_;
    }
    Shape(Shape&& other) noexcept : handle_(other.detach()) {}
    Shape& operator=(Shape other) noexcept { return std::swap(handle_, other.handle_), *this; }
    ~Shape() {
        if (handle_.bits != 0) wobble_shape_release(handle_);
    }

    static Returns<Shape> from_points(view<const Vec3> points, const WobbleShapeDef& def = ShapeDef()) {
        return build(points, nullptr, def, [] {});
    }
    static Returns<Shape> from_points(view<const Vec3> points, view<const float> masses,
                                      const WobbleShapeDef& def = ShapeDef()) {
        return build(points, &masses, def, [] {});
    }
    // `progress` takes the fraction done and returns whether to go on. What it throws cancels the
    // build and comes out of this call.
    template <class F, class = std::enable_if_t<std::is_invocable_v<F&, float>>>
    static Returns<Shape> from_points(view<const Vec3> points, WobbleShapeDef def, F&& progress) {
        detail::Progress<F> watch{progress};
        watch.listen(def);
        return build(points, nullptr, def, [&] { watch.rethrow(); });
    }
    template <class F, class = std::enable_if_t<std::is_invocable_v<F&, float>>>
    static Returns<Shape> from_points(view<const Vec3> points, view<const float> masses, WobbleShapeDef def,
                                      F&& progress) {
        detail::Progress<F> watch{progress};
        watch.listen(def);
        return build(points, &masses, def, [&] { watch.rethrow(); });
    }
    // From a mesh, which bodies of the shape carry: read it back with Body::read_skin().
    static Returns<Shape> from_mesh(const Mesh& mesh, const WobbleSamplingDef& sampling = SamplingDef(),
                                    const WobbleShapeDef& def = ShapeDef()) {
        return fill(mesh, sampling, def, [] {});
    }
    template <class F, class = std::enable_if_t<std::is_invocable_v<F&, float>>>
    static Returns<Shape> from_mesh(const Mesh& mesh, const WobbleSamplingDef& sampling, WobbleShapeDef def,
                                    F&& progress) {
        detail::Progress<F> watch{progress};
        watch.listen(def);
        return fill(mesh, sampling, def, [&] { watch.rethrow(); });
    }
    // From particles of the host's choice with what is painted on them, and a mesh that bodies carry.
    static Returns<Shape> from_particles(const Particles& particles, const WobbleShapeDef& def = ShapeDef()) {
        return carry(particles, nullptr, def);
    }
    static Returns<Shape> from_particles(const Particles& particles, const Mesh& mesh,
                                         const WobbleShapeDef& def = ShapeDef()) {
        return carry(particles, &mesh, def);
    }
    // Fills a solid, whose mesh bodies of the shape carry.
    static Returns<Shape> from_solid(const Solid& solid, const WobbleSamplingDef& sampling = SamplingDef(),
                                     const WobbleShapeDef& def = ShapeDef()) {
        return fill(solid, sampling, def, [] {});
    }
    template <class F, class = std::enable_if_t<std::is_invocable_v<F&, float>>>
    static Returns<Shape> from_solid(const Solid& solid, const WobbleSamplingDef& sampling, WobbleShapeDef def,
                                     F&& progress) {
        detail::Progress<F> watch{progress};
        watch.listen(def);
        return fill(solid, sampling, def, [&] { watch.rethrow(); });
    }
    static Returns<Shape> load(span<const std::uint8_t> bytes) {
        Shape shape;
        WobbleStatus status = wobble_shape_load(bytes.data(), detail::count32(bytes.size()), &shape.handle_);
        return detail::give<Shape>(status, std::move(shape));
    }
    // This shape with lengths multiplied along each axis, its mesh too; by default its mass grows with the volume.
    Returns<Shape> scaled(Vec3 by, float mass = 0.0f) const {
        Shape shape;
        WobbleStatus status = wobble_shape_create_scaled(handle_, by.x, by.y, by.z, mass, &shape.handle_);
        return detail::give<Shape>(status, std::move(shape));
    }
    // Takes over a reference.
    static Shape adopt(WobbleShape handle) noexcept { return Shape(handle); }
    WobbleShape detach() noexcept { return std::exchange(handle_, WobbleShape{0}); }
    WobbleShape handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }

    Returns<std::uint32_t> save_size() const { return detail::get<std::uint32_t>(wobble_shape_save_size, handle_); }
    Returns<std::vector<std::uint8_t>> save() const {
        return detail::list<std::uint8_t>(
            [&](std::uint32_t* size) { return wobble_shape_save_size(handle_, size); },
            [&](auto... out) { return wobble_shape_save(handle_, out...); });
    }
    Returns<std::uint32_t> save_into(span<std::uint8_t> bytes) const {
        return detail::get<std::uint32_t>(wobble_shape_save, handle_, bytes.data(), detail::count32(bytes.size()));
    }
    Returns<std::uint32_t> particle_count() const {
        return detail::get<std::uint32_t>(wobble_shape_particle_count, handle_);
    }
    Returns<std::uint32_t> level_count() const {
        return detail::get<std::uint32_t>(wobble_shape_level_count, handle_);
    }
    Returns<float> mass() const { return detail::get<float>(wobble_shape_mass, handle_); }
    Returns<std::uint64_t> fingerprint() const {
        return detail::get<std::uint64_t>(wobble_shape_fingerprint, handle_);
    }
    Returns<LevelReport> level_report(std::uint32_t level) const {
        return detail::get_sized<LevelReport>(wobble_shape_level_report, handle_, level);
    }
    Returns<std::vector<Vec3>> rest_positions() const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return wobble_shape_particle_count(handle_, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_rest_positions(handle_, detail::floats(out), 0, count);
            });
    }
    Returns<void> read_rest_positions(view<Vec3> out) const {
        return detail::done(wobble_shape_rest_positions(handle_, out.floats(), detail::count32(out.stride()),
                                                        detail::count32(out.size())));
    }
    Returns<std::vector<Vec3>> cluster_centres(std::uint32_t level) const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return detail::cluster_count(handle_, level, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_cluster_centres(handle_, level, detail::floats(out), 0, count);
            });
    }
    Returns<void> read_cluster_centres(std::uint32_t level, view<Vec3> out) const {
        return detail::done(wobble_shape_cluster_centres(
            handle_, level, out.floats(), detail::count32(out.stride()), detail::count32(out.size())));
    }
    // Mean distance of neighbours, metres.
    Returns<float> spacing() const { return detail::get<float>(wobble_shape_spacing, handle_); }
    // The particles that new bodies start with pinned.
    Returns<std::vector<std::uint32_t>> pins() const {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t* count) { return wobble_shape_pin_count(handle_, count); },
            [&](auto... out) { return wobble_shape_pins(handle_, out...); });
    }
    Returns<bool> is_nested() const { return detail::get_flag(wobble_shape_is_nested, handle_); }
    Returns<std::vector<float>> masses() const {
        return detail::list<float>(
            [&](std::uint32_t* count) { return wobble_shape_particle_count(handle_, count); },
            [&](float* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_masses(handle_, out, 0, count);
            });
    }
    Returns<std::vector<float>> cluster_widths(std::uint32_t level) const {
        return detail::list<float>(
            [&](std::uint32_t* count) { return detail::cluster_count(handle_, level, count); },
            [&](float* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_cluster_widths(handle_, level, out, 0, count);
            });
    }
    // Who is held by whom in a level, member by member.
    Returns<std::vector<Membership>> memberships(std::uint32_t level) const {
        return detail::list<Membership>(
            [&](std::uint32_t* count) { return wobble_shape_membership_count(handle_, level, count); },
            [&](auto... out) { return wobble_shape_memberships(handle_, level, out...); });
    }
    // What cuts the finest clusters' collision spheres, cluster by cluster.
    Returns<std::vector<ClusterPlane>> planes() const {
        return detail::list<ClusterPlane>(
            [&](std::uint32_t* count) { return wobble_shape_plane_count(handle_, count); },
            [&](auto... out) { return wobble_shape_planes(handle_, out...); });
    }
    // Where the centre of mass lay in the space of the points or the mesh.
    Returns<Vec3> centre() const { return detail::get<Vec3>(wobble_shape_centre, handle_); }
    // Of the mesh that bodies carry; vertices at rest are about the centre of mass.
    Returns<std::uint32_t> vertex_count() const {
        return detail::get<std::uint32_t>(wobble_shape_vertex_count, handle_);
    }
    Returns<std::vector<Vec3>> vertices() const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return wobble_shape_vertex_count(handle_, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_vertices(handle_, detail::floats(out), 0, count);
            });
    }
    // Of a piece's mesh: where its vertices lie in the mesh that its body had before it broke.
    Returns<std::vector<WobbleSkinSource>> skin_sources() const {
        return detail::list<WobbleSkinSource>(
            [&](std::uint32_t* count) { return wobble_shape_vertex_count(handle_, count); },
            [&](auto... out) { return wobble_shape_skin_sources(handle_, out...); });
    }
    Returns<std::vector<Vec3>> normals() const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return wobble_shape_vertex_count(handle_, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_normals(handle_, detail::floats(out), 0, count);
            });
    }
    Returns<std::vector<Vec4>> tangents() const {
        return detail::list<Vec4>(
            [&](std::uint32_t* count) { return wobble_shape_vertex_count(handle_, count); },
            [&](Vec4* out, std::uint32_t count, std::uint32_t*) {
                return wobble_shape_tangents(handle_, detail::floats(out), 0, count);
            });
    }
    Returns<std::vector<std::uint32_t>> indices() const {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t* count) { return wobble_shape_index_count(handle_, count); },
            [&](auto... out) { return wobble_shape_indices(handle_, out...); });
    }
    // Who carries each vertex, for skinning on the GPU with Body::bones().
    Returns<std::vector<Influences>> influences() const {
        std::vector<std::uint32_t> clusters;
        std::vector<float> weights;
        return detail::list<Influences>(
            [&](std::uint32_t* count) { return wobble_shape_vertex_count(handle_, count); },
            [&](Influences* out, std::uint32_t count, std::uint32_t*) {
                clusters.resize(std::size_t(WOBBLE_INFLUENCES) * count);
                weights.resize(clusters.size());
                WobbleStatus status = wobble_shape_influences(handle_, clusters.data(), weights.data(), count);
                for (std::size_t i = 0; i < clusters.size(); i++) {
                    out[i / WOBBLE_INFLUENCES].clusters[i % WOBBLE_INFLUENCES] = clusters[i];
                    out[i / WOBBLE_INFLUENCES].weights[i % WOBBLE_INFLUENCES] = weights[i];
                }
                return status;
            });
    }
    // For each place of a borrowed view the particle there. Good as long as the shape lives.
    Returns<span<const std::uint32_t>> view_order() const {
        const std::uint32_t* order = nullptr;
        std::uint32_t count = 0;
        WobbleStatus status = wobble_shape_view_order(handle_, &order, &count);
        return detail::give<span<const std::uint32_t>>(status, span<const std::uint32_t>(order, count));
    }

private:
    explicit Shape(WobbleShape handle) noexcept : handle_(handle) {}

    template <class After>
    static Returns<Shape> build(view<const Vec3> points, const view<const float>* masses, const WobbleShapeDef& def,
                                After after) {
        Shape shape;
        if (masses && masses->size() != points.size())
            return detail::give<Shape>(WOBBLE_STATUS_INVALID_ARGUMENT, std::move(shape),
                                       "masses must be as many as points; leave them out for 1 kg evenly spread");
        WobbleStatus status = wobble_shape_create_from_points(
            points.floats(), detail::count32(points.size()), detail::count32(points.stride()),
            masses ? masses->floats() : nullptr, masses ? detail::count32(masses->stride()) : 0, &def,
            &shape.handle_);
        after();
        return detail::give<Shape>(status, std::move(shape));
    }

    template <class After>
    static Returns<Shape> fill(const Mesh& mesh, const WobbleSamplingDef& sampling, const WobbleShapeDef& def,
                               After after) {
        Shape shape;
        if (!mesh.is_even())
            return detail::give<Shape>(WOBBLE_STATUS_INVALID_ARGUMENT, std::move(shape),
                                       "normals, tangents and maps must be as many as positions");
        WobbleStatus status = wobble_shape_create_from_mesh(&mesh, &sampling, &def, &shape.handle_);
        after();
        return detail::give<Shape>(status, std::move(shape));
    }

    static Returns<Shape> carry(const Particles& particles, const Mesh* mesh, const WobbleShapeDef& def) {
        Shape shape;
        if (!particles.is_even() || (mesh && !mesh->is_even()))
            return detail::give<Shape>(WOBBLE_STATUS_INVALID_ARGUMENT, std::move(shape),
                                       "masses and maps must be as many as points, normals and tangents as positions");
        WobbleStatus status = wobble_shape_create_from_particles(&particles, mesh, &def, &shape.handle_);
        return detail::give<Shape>(status, std::move(shape));
    }

    template <class After>
    static Returns<Shape> fill(const Solid& solid, const WobbleSamplingDef& sampling, const WobbleShapeDef& def,
                               After after) {
        Shape shape;
        WobbleStatus status = wobble_shape_create_from_solid(&solid, &sampling, &def, &shape.handle_);
        solid.rethrow();
        after();
        return detail::give<Shape>(status, std::move(shape));
    }

    WobbleShape handle_{0};
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_SHAPE_HPP
