// Bodies.

#ifndef WOBBLE_BODY_HPP
#define WOBBLE_BODY_HPP

#include <cstdint>
#include <vector>

#include "attach.hpp"
#include "query.hpp"
#include "shape.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

class WorldRef;

// Friction, restitution and how they are combined with those of what is touched.
struct Surface {
    float friction, restitution;
    std::uint32_t combine;
};

// How a body touches other bodies, and itself: see wobble_body_set_touch.
struct Touch {
    float parting = 0.4f;
    bool itself = false, proxies = false;
};

// Names a body without owning it. Cheap to copy.
class BodyRef {
public:
    BodyRef() noexcept = default;
    explicit BodyRef(WobbleBody handle) noexcept : handle_(handle) {}
    WobbleBody handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    friend bool operator==(BodyRef a, BodyRef b) noexcept { return a.handle_.bits == b.handle_.bits; }
    friend bool operator!=(BodyRef a, BodyRef b) noexcept { return !(a == b); }

    Returns<void> destroy() const { return detail::done(wobble_body_destroy(handle_)); }
    Returns<WorldRef> world() const;
    Returns<Shape> shape() const {
        WobbleShape shape{0};
        WobbleStatus status = wobble_body_shape(handle_, &shape);
        return detail::give<Shape>(status, Shape::adopt(shape));
    }

    // Moved and held.
    Returns<void> set_enabled(bool enabled) const {
        return detail::done(wobble_body_set_enabled(handle_, enabled));
    }
    Returns<void> set_velocity(Vec3 v) const { return detail::done(wobble_body_set_velocity(handle_, v.x, v.y, v.z)); }
    // Puts the centre of mass at a position, and the body about it in its rest shape, turned and at rest. Dents, cuts
    // and breaks stay; reset() ends them. Pins go along; frames that hold it are put there by AttachmentRef::set_pose().
    Returns<void> teleport(Vec3 position) const { return teleport(&position, nullptr); }
    Returns<void> teleport(Vec3 position, Quat rotation) const { return teleport(&position, &rotation); }
    Returns<void> teleport(const Vec3* position, const Quat* rotation) const {
        return detail::done(wobble_body_teleport(handle_, position, rotation));
    }
    Returns<void> reset() const { return detail::done(wobble_body_reset(handle_)); }
    Returns<void> apply_force(Vec3 f) const { return detail::done(wobble_body_apply_force(handle_, f.x, f.y, f.z)); }
    Returns<void> apply_force_to(std::uint32_t particle, Vec3 f) const {
        return detail::done(wobble_body_apply_force_to(handle_, particle, f.x, f.y, f.z));
    }
    Returns<void> apply_impulse(Vec3 i) const {
        return detail::done(wobble_body_apply_impulse(handle_, i.x, i.y, i.z));
    }
    Returns<void> apply_torque_impulse(Vec3 i) const {
        return detail::done(wobble_body_apply_torque_impulse(handle_, i.x, i.y, i.z));
    }
    Returns<void> apply_impulse_to(std::uint32_t particle, Vec3 i) const {
        return detail::done(wobble_body_apply_impulse_to(handle_, particle, i.x, i.y, i.z));
    }
    Returns<void> apply_impulse_at(Vec3 point, Vec3 impulse, float radius) const {
        return detail::done(wobble_body_apply_impulse_at(handle_, &point, &impulse, radius));
    }
    Returns<void> pin(std::uint32_t particle) const { return detail::done(wobble_body_pin(handle_, particle)); }
    Returns<void> unpin(std::uint32_t particle) const { return detail::done(wobble_body_unpin(handle_, particle)); }
    Returns<void> move_pin(std::uint32_t particle, Vec3 p) const {
        return detail::done(wobble_body_move_pin(handle_, particle, p.x, p.y, p.z));
    }
    Returns<void> set_position_of(std::uint32_t particle, Vec3 p) const {
        return detail::done(wobble_body_set_position_of(handle_, particle, p.x, p.y, p.z));
    }
    Returns<void> set_velocity_of(std::uint32_t particle, Vec3 v) const {
        return detail::done(wobble_body_set_velocity_of(handle_, particle, v.x, v.y, v.z));
    }
    Returns<void> set_positions(view<const Vec3> positions) const {
        return set_all(wobble_body_set_positions, positions);
    }
    Returns<void> set_velocities(view<const Vec3> velocities) const {
        return set_all(wobble_body_set_velocities, velocities);
    }

    // Held to a frame that the host moves, to another body, or dragged as with a mouse.
    Returns<Attachment> attach(span<const std::uint32_t> particles, const WobbleAttachmentDef& def = AttachmentDef()) const {
        return attached([&](WobbleAttachment* out) {
            return wobble_body_attach(handle_, particles.data(), detail::count32(particles.size()), &def, out);
        });
    }
    Returns<Attachment> join(BodyRef other, const WobbleJointDef& def) const {
        return attached([&](WobbleAttachment* out) { return wobble_body_join(handle_, other.handle_, &def, out); });
    }
    Returns<Attachment> drag(const WobbleDragDef& def) const {
        return attached([&](WobbleAttachment* out) { return wobble_body_drag(handle_, &def, out); });
    }

    // Particles by where they are, in ascending order.
    Returns<std::vector<std::uint32_t>> particles_in_box(Bounds bounds, Space space = Space::world) const {
        return chosen([&](auto... out) {
            return wobble_body_particles_in_box(handle_, &bounds, std::uint32_t(space), out...);
        });
    }
    Returns<std::vector<std::uint32_t>> particles_in_sphere(Vec3 centre, float radius, Space space = Space::world) const {
        return chosen([&](auto... out) {
            return wobble_body_particles_in_sphere(handle_, &centre, radius, std::uint32_t(space), out...);
        });
    }
    Returns<std::uint32_t> nearest_particle(Vec3 point, Space space = Space::world) const {
        return detail::get<std::uint32_t>(wobble_body_nearest_particle, handle_, &point, std::uint32_t(space));
    }

    // Saved and put back.
    Returns<std::uint32_t> snapshot_size() const {
        return detail::get<std::uint32_t>(wobble_body_snapshot_size, handle_);
    }
    Returns<std::vector<std::uint8_t>> snapshot() const {
        return detail::list<std::uint8_t>(
            [&](std::uint32_t* size) { return wobble_body_snapshot_size(handle_, size); },
            [&](auto... out) { return wobble_body_snapshot(handle_, out...); });
    }
    Returns<std::uint32_t> snapshot_into(span<std::uint8_t> bytes) const {
        return detail::get<std::uint32_t>(wobble_body_snapshot, handle_, bytes.data(),
                                          detail::count32(bytes.size()));
    }
    Returns<void> restore(span<const std::uint8_t> bytes) const {
        return detail::done(wobble_body_restore(handle_, bytes.data(), detail::count32(bytes.size())));
    }

    // What it is made of. Levels count from 0, the finest.
    Returns<Material> material() const { return detail::get<Material>(wobble_body_material, handle_); }
    Returns<void> set_material(const WobbleMaterial& material) const {
        return detail::done(wobble_body_set_material(handle_, &material));
    }
    Returns<void> set_preset(const char* name) const { return detail::done(wobble_body_set_preset(handle_, name)); }
    Returns<std::uint32_t> level_count() const { return detail::get<std::uint32_t>(wobble_body_level_count, handle_); }
    Returns<float> level_weight(std::uint32_t level) const {
        return detail::get<float>(wobble_body_level_weight, handle_, level);
    }
    Returns<void> set_level_weights(span<const float> weights) const {
        return detail::done(wobble_body_set_level_weights(handle_, weights.data(), detail::count32(weights.size())));
    }
    Returns<void> set_level_weight(std::uint32_t level, float weight) const {
        return detail::done(wobble_body_set_level_weight(handle_, level, weight));
    }
    Returns<void> set_weighting(const char* name, float a = 0.0f, float b = 0.0f) const {
        return detail::done(wobble_body_set_weighting(handle_, name, a, b));
    }
    Returns<float> level_stiffness(std::uint32_t level) const {
        return detail::get<float>(wobble_body_level_stiffness, handle_, level);
    }
    Returns<void> set_level_stiffness(std::uint32_t level, float multiplier) const {
        return detail::done(wobble_body_set_level_stiffness(handle_, level, multiplier));
    }
    Returns<float> level_damping(std::uint32_t level) const {
        return detail::get<float>(wobble_body_level_damping, handle_, level);
    }
    Returns<void> set_level_damping(std::uint32_t level, float multiplier) const {
        return detail::done(wobble_body_set_level_damping(handle_, level, multiplier));
    }

    // Read back: into a new vector, into the host's memory, or where the library keeps it. Views
    // are good until the next step or change, and in the order of Shape::view_order().
    Returns<std::uint32_t> particle_count() const {
        return detail::get<std::uint32_t>(wobble_body_particle_count, handle_);
    }
    Returns<std::vector<Vec3>> positions() const { return all(wobble_body_positions); }
    Returns<Vec3> position_of(std::uint32_t particle) const {
        return detail::get<Vec3>(wobble_body_position_of, handle_, particle);
    }
    Returns<Vec3> velocity_of(std::uint32_t particle) const {
        return detail::get<Vec3>(wobble_body_velocity_of, handle_, particle);
    }
    Returns<std::vector<Vec3>> velocities() const { return all(wobble_body_velocities); }
    Returns<std::vector<Vec3>> previous_positions() const { return all(wobble_body_previous_positions); }
    Returns<void> read_positions(view<Vec3> out) const { return read(wobble_body_positions, out); }
    Returns<void> read_velocities(view<Vec3> out) const { return read(wobble_body_velocities, out); }
    Returns<void> read_previous_positions(view<Vec3> out) const { return read(wobble_body_previous_positions, out); }
    Returns<view<const Vec3>> view_positions() const { return lent(wobble_body_view_positions); }
    Returns<view<const Vec3>> view_velocities() const { return lent(wobble_body_view_velocities); }
    Returns<std::vector<Transform>> cluster_transforms(std::uint32_t level) const {
        WobbleShape shape{0};
        return detail::list<Transform>(
            [&](std::uint32_t* count) {
                WobbleStatus status = wobble_body_shape(handle_, &shape);
                Shape kept = Shape::adopt(shape);
                return status == WOBBLE_STATUS_OK ? detail::cluster_count(shape, level, count) : status;
            },
            [&](Transform* out, std::uint32_t count, std::uint32_t*) {
                return wobble_body_cluster_transforms(handle_, level, out, 0, count);
            });
    }
    Returns<void> read_cluster_transforms(std::uint32_t level, view<Transform> out) const {
        return detail::done(wobble_body_cluster_transforms(handle_, level, reinterpret_cast<Transform*>(out.floats()),
                                                           detail::count32(out.stride()),
                                                           detail::count32(out.size())));
    }
    // Positions at a fraction between the last two steps: 0 is before the last one, 1 is now.
    Returns<std::vector<Vec3>> positions_at(float fraction) const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return wobble_body_particle_count(handle_, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return wobble_body_positions_at(handle_, fraction, detail::floats(out), 0, count);
            });
    }
    Returns<void> read_positions_at(float fraction, view<Vec3> out) const {
        return detail::done(wobble_body_positions_at(handle_, fraction, out.floats(), detail::count32(out.stride()),
                                                     detail::count32(out.size())));
    }
    // The deformed mesh, into the host's vertices; returns its bounds.
    Returns<Bounds> read_skin(const WobbleSkinBuffers& buffers) const {
        return detail::get<Bounds>(wobble_body_read_skin, handle_, &buffers);
    }
    // The matrix of each finest cluster, for skinning on the GPU with Shape::influences().
    Returns<std::vector<Matrix>> bones(float fraction = 1.0f) const {
        WobbleShape shape{0};
        return detail::list<Matrix>(
            [&](std::uint32_t* count) {
                WobbleStatus status = wobble_body_shape(handle_, &shape);
                Shape kept = Shape::adopt(shape);
                return status == WOBBLE_STATUS_OK ? detail::cluster_count(shape, 0, count) : status;
            },
            [&](Matrix* out, std::uint32_t count, std::uint32_t*) {
                return wobble_body_bones(handle_, fraction, detail::floats(out), 0, count);
            });
    }
    Returns<void> read_bones(float fraction, view<Matrix> out) const {
        return detail::done(wobble_body_bones(handle_, fraction, out.floats(), detail::count32(out.stride()),
                                              detail::count32(out.size())));
    }
    Returns<Surface> surface() const {
        Surface found{};
        WobbleStatus status = wobble_body_surface(handle_, &found.friction, &found.restitution, &found.combine);
        return detail::give<Surface>(status, std::move(found));
    }
    Returns<Touch> touch() const {
        float parting = 0;
        std::uint32_t itself = 0, proxies = 0;
        WobbleStatus status = wobble_body_touch(handle_, &parting, &itself, &proxies);
        return detail::give<Touch>(status, Touch{parting, itself != 0, proxies != 0});
    }
    Returns<void> set_touch(const Touch& touch) const {
        return detail::done(
            wobble_body_set_touch(handle_, touch.parting, touch.itself ? 1 : 0, touch.proxies ? 1 : 0));
    }
    Returns<Groups> groups() const {
        Groups found{};
        WobbleStatus status = wobble_body_groups(handle_, &found.group, &found.mask);
        return detail::give<Groups>(status, std::move(found));
    }
    Returns<float> particle_radius() const { return detail::get<float>(wobble_body_particle_radius, handle_); }
    // Whether it was in contact with a collider at the end of the last step.
    Returns<bool> is_touching() const { return detail::get_flag(wobble_body_is_touching, handle_); }
    Returns<void> set_surface(float friction, float restitution,
                              std::uint32_t combine = WOBBLE_COMBINE_NATURAL) const {
        return detail::done(wobble_body_set_surface(handle_, friction, restitution, combine));
    }
    Returns<void> set_groups(std::uint32_t group, std::uint32_t mask) const {
        return detail::done(wobble_body_set_groups(handle_, group, mask));
    }
    Returns<void> set_particle_radius(float radius) const {
        return detail::done(wobble_body_set_particle_radius(handle_, radius));
    }
    Returns<Vec3> centre_of_mass() const { return detail::get<Vec3>(wobble_body_centre_of_mass, handle_); }
    Returns<Vec3> momentum() const { return detail::get<Vec3>(wobble_body_momentum, handle_); }
    Returns<Vec3> angular_momentum() const { return detail::get<Vec3>(wobble_body_angular_momentum, handle_); }
    Returns<Bounds> bounds() const { return detail::get<Bounds>(wobble_body_bounds, handle_); }
    Returns<float> volume() const { return detail::get<float>(wobble_body_volume, handle_); }
    Returns<float> shape_error() const { return detail::get<float>(wobble_body_shape_error, handle_); }
    Returns<float> kinetic_energy() const { return detail::get<float>(wobble_body_kinetic_energy, handle_); }
    Returns<float> elastic_energy() const { return detail::get<float>(wobble_body_elastic_energy, handle_); }
    Returns<bool> is_enabled() const { return detail::get_flag(wobble_body_is_enabled, handle_); }
    Returns<bool> is_frozen() const { return detail::get_flag(wobble_body_is_frozen, handle_); }
    Returns<bool> is_sleeping() const { return detail::get_flag(wobble_body_is_sleeping, handle_); }
    Returns<void> wake() const { return detail::done(wobble_body_wake(handle_)); }
    Returns<void> put_to_sleep() const { return detail::done(wobble_body_put_to_sleep(handle_)); }
    Returns<bool> can_sleep() const { return detail::get_flag(wobble_body_can_sleep, handle_); }
    Returns<void> set_can_sleep(bool can_sleep) const {
        return detail::done(wobble_body_set_can_sleep(handle_, can_sleep ? 1 : 0));
    }
    Returns<bool> is_pinned(std::uint32_t particle) const {
        return detail::get_flag(wobble_body_is_pinned, handle_, particle);
    }
    Returns<std::vector<std::uint32_t>> pins() const {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t* count) { return wobble_body_pin_count(handle_, count); },
            [&](auto... out) { return wobble_body_pins(handle_, out...); });
    }

    // Lets deformation last, or none of it any more: null.
    Returns<void> set_plasticity(const WobblePlasticity* rule) const {
        return detail::done(wobble_body_set_plasticity(handle_, rule));
    }
    // Whether deformation lasts; `rule` gets how.
    Returns<bool> plasticity(Plasticity& rule) const {
        return detail::get_flag(wobble_body_plasticity, handle_, static_cast<WobblePlasticity*>(&rule));
    }
    Returns<float> level_flow(std::uint32_t level) const {
        return detail::get<float>(wobble_body_level_flow, handle_, level);
    }
    Returns<void> set_level_flow(std::uint32_t level, float multiplier) const {
        return detail::done(wobble_body_set_level_flow(handle_, level, multiplier));
    }
    Returns<float> lasting_strain() const { return detail::get<float>(wobble_body_lasting_strain, handle_); }
    // Lets the body break, or not: null.
    Returns<void> set_fracture(const WobbleFracture* rule) const {
        return detail::done(wobble_body_set_fracture(handle_, rule));
    }
    // Whether the body breaks; `rule` gets how.
    Returns<bool> fracture(Fracture& rule) const {
        return detail::get_flag(wobble_body_fracture, handle_, static_cast<WobbleFracture*>(&rule));
    }
    // A number for each particle, or none.
    Returns<void> paint_toughness(span<const float> map) const {
        return detail::done(wobble_body_paint_toughness(handle_, map.data(), detail::count32(map.size()), 0));
    }
    // Cuts by a plane, or by what an edge sweeps. Returns how many bodies it is then.
    Returns<std::uint32_t> cut(Vec3 point, Vec3 normal) const {
        return detail::get<std::uint32_t>(wobble_body_cut_plane, handle_, &point, &normal);
    }
    Returns<std::uint32_t> cut(const Vec3 (&from)[2], const Vec3 (&to)[2]) const {
        return detail::get<std::uint32_t>(wobble_body_cut_blade, handle_, &from[0], &to[0]);
    }

protected:
    // Destroys for certain: a world that steps in the background is waited for.
    void end() const noexcept {
        WobbleWorld world{0};
        while (handle_.bits != 0 && wobble_body_destroy(handle_) == WOBBLE_STATUS_BUSY)
            if (wobble_body_world(handle_, &world) == WOBBLE_STATUS_OK) wobble_world_step_wait(world);
    }

private:
    template <class Call>
    Returns<Attachment> attached(Call call) const {
        WobbleAttachment made{0};
        WobbleWorld world{0};
        WobbleStatus status = wobble_body_world(handle_, &world);
        if (status == WOBBLE_STATUS_OK) status = call(&made);
        return detail::give<Attachment>(status, Attachment(AttachmentRef(made, world)));
    }
    template <class Call>
    Returns<std::vector<std::uint32_t>> chosen(Call call) const {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t* count) { return wobble_body_particle_count(handle_, count); }, call);
    }
    template <class Call>
    Returns<void> set_all(Call call, view<const Vec3> items) const {
        return detail::done(
            call(handle_, items.floats(), detail::count32(items.size()), detail::count32(items.stride())));
    }
    template <class Call>
    Returns<void> read(Call call, view<Vec3> out) const {
        return detail::done(call(handle_, out.floats(), detail::count32(out.stride()), detail::count32(out.size())));
    }
    template <class Call>
    Returns<std::vector<Vec3>> all(Call call) const {
        return detail::list<Vec3>(
            [&](std::uint32_t* count) { return wobble_body_particle_count(handle_, count); },
            [&](Vec3* out, std::uint32_t count, std::uint32_t*) {
                return call(handle_, detail::floats(out), 0, count);
            });
    }
    template <class Call>
    Returns<view<const Vec3>> lent(Call call) const {
        WobbleView memory{};
        WobbleStatus status = call(handle_, &memory);
        return detail::give<view<const Vec3>>(status, view<const Vec3>(memory.data, memory.count, memory.stride));
    }

    WobbleBody handle_{0};
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_BODY_HPP
