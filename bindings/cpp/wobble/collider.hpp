// Colliders: what the host puts in the way of bodies.

#ifndef WOBBLE_COLLIDER_HPP
#define WOBBLE_COLLIDER_HPP

#include <cstdint>
#include <utility>

#include "attach.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

using Contact = WobbleContact;

// Where something is.
struct Pose {
    Vec3 position;
    Quat rotation;
};

// From which impulse on contacts are reported, N s in a step, and the most of them.
struct ContactReporting {
    float threshold;
    std::uint32_t most;
};

// Names a collider without owning it.
class ColliderRef {
public:
    ColliderRef() noexcept = default;
    ColliderRef(WobbleCollider handle, WobbleWorld world) noexcept : handle_(handle), world_(world) {}
    WobbleCollider handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    Returns<void> destroy() const { return detail::done(wobble_collider_destroy(handle_)); }
    // A jump: at once, meeting nothing on its way and taking nothing along. Bodies that jump with it are teleported.
    Returns<void> set_pose(Vec3 position, Quat rotation = identity()) const {
        return detail::done(wobble_collider_set_pose(handle_, &position, &rotation));
    }
    // In the next step, with the velocity of that way: it pushes what is in it and drags along what lies on it.
    // Not for jumps: ground moved by 1 km in a step throws a body that was teleported with it kilometres away.
    Returns<void> move_to(Vec3 position, Quat rotation = identity()) const {
        return detail::done(wobble_collider_move(handle_, &position, &rotation));
    }
    Returns<Pose> pose() const {
        Pose pose{};
        WobbleStatus status = wobble_collider_pose(handle_, &pose.position, &pose.rotation);
        return detail::give<Pose>(status, std::move(pose));
    }
    Returns<void> set_velocity(Vec3 velocity, Vec3 angular_velocity = {}) const {
        return detail::done(wobble_collider_set_velocity(handle_, &velocity, &angular_velocity));
    }
    Returns<void> set_conveyor(Vec3 v) const {
        return detail::done(wobble_collider_set_conveyor(handle_, v.x, v.y, v.z));
    }
    Returns<void> set_surface(float friction, float restitution,
                              std::uint32_t combine = WOBBLE_COMBINE_NATURAL) const {
        return detail::done(wobble_collider_set_surface(handle_, friction, restitution, combine));
    }
    Returns<void> set_groups(std::uint32_t group, std::uint32_t mask) const {
        return detail::done(wobble_collider_set_groups(handle_, group, mask));
    }
    Returns<void> set_enabled(bool enabled) const {
        return detail::done(wobble_collider_set_enabled(handle_, enabled ? 1 : 0));
    }
    // How it is set up at present, but for points, indices and heights.
    Returns<ColliderDef> definition() const { return detail::get<ColliderDef>(wobble_collider_definition, handle_); }
    // Whether it has an inside; a mesh that is not closed has none.
    Returns<bool> is_solid() const { return detail::get_flag(wobble_collider_is_solid, handle_); }
    // What bodies gave it in the last step.
    Returns<Push> impulse() const {
        Push push{};
        WobbleStatus status = wobble_collider_impulse(handle_, &push.impulse, &push.torque_impulse);
        return detail::give<Push>(status, std::move(push));
    }

protected:
    void end() const noexcept { detail::end(handle_, world_, wobble_collider_destroy); }

private:
    WobbleCollider handle_{0};
    WobbleWorld world_{0};
};

using Collider = Owner<ColliderRef>;

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_COLLIDER_HPP
