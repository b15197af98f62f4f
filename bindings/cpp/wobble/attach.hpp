// Attachments: particles held to a frame, joints between bodies, drags.

#ifndef WOBBLE_ATTACH_HPP
#define WOBBLE_ATTACH_HPP

#include <cstdint>
#include <utility>

#include "owner.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

struct AttachmentDef : WobbleAttachmentDef {
    AttachmentDef() noexcept : WobbleAttachmentDef{} { wobble_attachment_def_init(this, sizeof(WobbleAttachmentDef)); }
};
struct JointDef : WobbleJointDef {
    JointDef() noexcept : WobbleJointDef{} { wobble_joint_def_init(this, sizeof(WobbleJointDef)); }
};
struct DragDef : WobbleDragDef {
    DragDef() noexcept : WobbleDragDef{} { wobble_drag_def_init(this, sizeof(WobbleDragDef)); }
};

// Which positions of particles are meant.
enum class Space : std::uint32_t { world = WOBBLE_SPACE_WORLD, rest = WOBBLE_SPACE_REST };

// An impulse, N s, and a turning impulse about the position of a collider or frame, N m s.
struct Push {
    Vec3 impulse;
    Vec3 torque_impulse;
};

inline Quat identity() noexcept { return Quat{0.0f, 0.0f, 0.0f, 1.0f}; }

// Names held particles, a joint or a drag without owning it.
class AttachmentRef {
public:
    AttachmentRef() noexcept = default;
    AttachmentRef(WobbleAttachment handle, WobbleWorld world) noexcept : handle_(handle), world_(world) {}
    WobbleAttachment handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    friend bool operator==(AttachmentRef a, AttachmentRef b) noexcept { return a.handle_.bits == b.handle_.bits; }
    friend bool operator!=(AttachmentRef a, AttachmentRef b) noexcept { return !(a == b); }
    // Lets go.
    Returns<void> destroy() const { return detail::done(wobble_attachment_destroy(handle_)); }
    // Moves the frame, or the target of a drag, in the course of the next step: what is held is swept along.
    Returns<void> move_to(Vec3 position, Quat rotation = identity()) const {
        return detail::done(wobble_attachment_move(handle_, &position, &rotation));
    }
    // Puts the frame, or the target of a drag, somewhere at once, without velocity. Particles stay where they are:
    // teleport their body too, before the next step.
    Returns<void> set_pose(Vec3 position, Quat rotation = identity()) const {
        return detail::done(wobble_attachment_set_pose(handle_, &position, &rotation));
    }
    // What it took in the last step.
    Returns<Push> impulse() const {
        Push push{};
        WobbleStatus status = wobble_attachment_impulse(handle_, &push.impulse, &push.torque_impulse);
        return detail::give<Push>(status, std::move(push));
    }

protected:
    void end() const noexcept { detail::end(handle_, world_, wobble_attachment_destroy); }

private:
    WobbleAttachment handle_{0};
    WobbleWorld world_{0};
};

using Attachment = Owner<AttachmentRef>;

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_ATTACH_HPP
