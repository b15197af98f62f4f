// Wobble for C++17: owners for the handles of wobble.h, header only. MIT OR Apache-2.0.
//
//     auto world = wobble::World::create();
//     auto ground = world.create_collider();
//     auto shape = wobble::Shape::from_points(points);   // std::vector<wobble::Vec3>
//     auto body = world.create_body(shape);
//     world.step(1.0f / 60.0f);
//     for (const wobble::Vec3& p : body.view_positions()) draw(p);
//
// A call that is refused throws wobble::Error. With WOBBLE_NO_EXCEPTIONS defined, or compiled
// without exceptions, the same calls return wobble::Result<T> instead. Returns<T> below stands for
// either. Both kinds may be linked into one program.
//
// World, Body, Collider, Attachment and Field destroy what they own, Shape drops its reference. Names with Ref
// at their end do not own. Using what is empty, moved from or destroyed is refused, never undefined.
// What each call does, its units and limits, is told in wobble.h.

#ifndef WOBBLE_HPP
#define WOBBLE_HPP

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "wobble/body.hpp"
#include "wobble/collider.hpp"
#include "wobble/field.hpp"
#include "wobble/query.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

using Body = Owner<BodyRef>;

// Whether bodies at rest fall asleep, and what counts as rest for one of 1 m, m/s.
struct Sleeping {
    bool enabled;
    float speed;
};

// Names a world without owning it.
class WorldRef {
public:
    WorldRef() noexcept = default;
    explicit WorldRef(WobbleWorld handle) noexcept : handle_(handle) {}
    WobbleWorld handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    friend bool operator==(WorldRef a, WorldRef b) noexcept { return a.handle_.bits == b.handle_.bits; }
    friend bool operator!=(WorldRef a, WorldRef b) noexcept { return !(a == b); }

    Returns<void> destroy() const { return detail::done(wobble_world_destroy(handle_)); }
    Returns<Body> create_body(const Shape& shape, const WobbleBodyDef& def = BodyDef()) const {
        WobbleBody body{0};
        WobbleStatus status = wobble_body_create(handle_, shape.handle(), &def, &body);
        return detail::give<Body>(status, Body(BodyRef(body)));
    }
    Returns<Collider> create_collider(const WobbleColliderDef& def = ColliderDef()) const {
        WobbleCollider collider{0};
        WobbleStatus status = wobble_collider_create(handle_, &def, &collider);
        return detail::give<Collider>(status, Collider(ColliderRef(collider, handle_)));
    }
    Returns<Field> create_field(const WobbleFieldDef& def) const {
        WobbleField field{0};
        WobbleStatus status = wobble_field_create(handle_, &def, &field);
        return detail::give<Field>(status, Field(FieldRef(field, handle_)));
    }

    Returns<Vec3> gravity() const { return detail::get<Vec3>(wobble_world_gravity, handle_); }
    Returns<void> set_gravity(Vec3 g) const { return detail::done(wobble_world_set_gravity(handle_, g.x, g.y, g.z)); }
    Returns<std::uint32_t> threads() const { return detail::get<std::uint32_t>(wobble_world_threads, handle_); }
    Returns<void> set_threads(std::uint32_t threads) const {
        return detail::done(wobble_world_set_threads(handle_, threads));
    }
    Returns<std::uint32_t> substeps() const { return detail::get<std::uint32_t>(wobble_world_substeps, handle_); }
    Returns<void> set_substeps(std::uint32_t substeps) const {
        return detail::done(wobble_world_set_substeps(handle_, substeps));
    }

    Returns<void> step(float dt) const { return detail::done(wobble_world_step(handle_, dt)); }
    Returns<void> step_begin(float dt) const { return detail::done(wobble_world_step_begin(handle_, dt)); }
    Returns<bool> step_is_done() const { return detail::get_flag(wobble_world_step_is_done, handle_); }
    Returns<void> step_wait() const { return detail::done(wobble_world_step_wait(handle_)); }

    Returns<Profile> profile() const { return detail::get_sized<Profile>(wobble_world_profile, handle_); }
    Returns<Statistics> statistics() const { return detail::get_sized<Statistics>(wobble_world_statistics, handle_); }
    Returns<std::uint64_t> state_hash() const { return detail::get<std::uint64_t>(wobble_world_state_hash, handle_); }
    Returns<std::uint32_t> body_count() const { return detail::get<std::uint32_t>(wobble_world_body_count, handle_); }
    Returns<std::vector<BodyRef>> bodies() const { return all(wobble_world_bodies); }
    // The deformed meshes of many bodies at once, spread over the world's threads; returns their bounds. One of the
    // buffers a body, which must not overlap.
    Returns<std::vector<Bounds>> read_skins(span<const BodyRef> bodies, span<const WobbleSkinBuffers> buffers) const {
        std::vector<WobbleBody> handles;
        for (const BodyRef& body : bodies) handles.push_back(body.handle());
        std::vector<Bounds> bounds(bodies.size());
        if (buffers.size() != bodies.size())
            return detail::give<std::vector<Bounds>>(WOBBLE_STATUS_INVALID_ARGUMENT, std::move(bounds),
                                                     "buffers must be as many as bodies");
        WobbleStatus status = wobble_world_read_skins(handle_, handles.data(), buffers.data(),
                                                      detail::count32(handles.size()), bounds.data());
        return detail::give<std::vector<Bounds>>(status, std::move(bounds));
    }
    // Those that went out of bounds in the last step, were put back and are frozen now.
    Returns<std::vector<BodyRef>> newly_frozen() const { return all(wobble_world_newly_frozen); }
    Returns<std::vector<ColliderRef>> colliders() const {
        return named<ColliderRef, WobbleCollider>(wobble_world_collider_count, wobble_world_colliders);
    }
    Returns<std::vector<AttachmentRef>> attachments() const {
        return named<AttachmentRef, WobbleAttachment>(wobble_world_attachment_count, wobble_world_attachments);
    }
    // Those that broke in the last step; they are gone.
    Returns<std::vector<AttachmentRef>> broken_attachments() const {
        return named<AttachmentRef, WobbleAttachment>(wobble_world_broken_attachment_count,
                                                      wobble_world_broken_attachments);
    }
    Returns<std::vector<FieldRef>> fields() const {
        return named<FieldRef, WobbleField>(wobble_world_field_count, wobble_world_fields);
    }
    // Pushes all particles within its reach away from a point, at once.
    Returns<void> explode(Vec3 centre, float radius, float speed, std::uint32_t mask = UINT32_MAX) const {
        return detail::done(wobble_world_explode(handle_, &centre, radius, speed, mask));
    }

    // What is where. A Hit is true if something was found.
    Returns<Hit> cast_ray(Vec3 origin, Vec3 direction, float most, Groups groups = {}) const {
        return detail::get<Hit>(wobble_world_cast_ray, handle_, &origin, &direction, most, groups.group, groups.mask);
    }
    Returns<Hit> closest_point(Vec3 point, float most, Groups groups = {}) const {
        return detail::get<Hit>(wobble_world_closest_point, handle_, &point, most, groups.group, groups.mask);
    }
    Returns<std::vector<Partner>> overlap_sphere(Vec3 centre, float radius, Groups groups = {}) const {
        return detail::list<Partner>([&](std::uint32_t* count) { return most_partners(count); },
                                     [&](auto... out) {
                                         return wobble_world_overlap_sphere(handle_, &centre, radius, groups.group,
                                                                            groups.mask, out...);
                                     });
    }
    Returns<std::vector<Partner>> overlap_box(Vec3 centre, Vec3 half_extents, Quat rotation = identity(),
                                              Groups groups = {}) const {
        return detail::list<Partner>([&](std::uint32_t* count) { return most_partners(count); },
                                     [&](auto... out) {
                                         return wobble_world_overlap_box(handle_, &centre, &half_extents, &rotation,
                                                                         groups.group, groups.mask, out...);
                                     });
    }

    // Pairs that touched in the last step or parted in it.
    Returns<std::vector<Contact>> contacts() const {
        return detail::list<Contact>(
            [&](std::uint32_t* count) { return wobble_world_contact_count(handle_, count); },
            [&](auto... out) { return wobble_world_contacts(handle_, out...); });
    }
    Returns<void> set_contact_reporting(float threshold, std::uint32_t most) const {
        return detail::done(wobble_world_set_contact_reporting(handle_, threshold, most));
    }

    Returns<ContactReporting> contact_reporting() const {
        ContactReporting found{};
        WobbleStatus status = wobble_world_contact_reporting(handle_, &found.threshold, &found.most);
        return detail::give<ContactReporting>(status, std::move(found));
    }
    // Whether bodies push each other apart where they touch.
    Returns<bool> bodies_meet() const { return detail::get_flag(wobble_world_bodies_meet, handle_); }
    Returns<void> set_bodies_meet(bool meet) const { return detail::done(wobble_world_set_bodies_meet(handle_, meet)); }

    // Bodies at rest fall asleep, or stay awake; `speed` is what counts as rest for one of 1 m, m/s.
    Returns<void> set_sleeping(bool enabled, float speed = 0.03f) const {
        return detail::done(wobble_world_set_sleeping(handle_, enabled ? 1 : 0, speed));
    }
    Returns<Sleeping> sleeping() const {
        Sleeping found{};
        std::uint32_t enabled = 0;
        WobbleStatus status = wobble_world_sleeping(handle_, &enabled, &found.speed);
        found.enabled = enabled != 0;
        return detail::give<Sleeping>(status, std::move(found));
    }
    // Those that fell asleep or woke in the last step, or were made to before it.
    Returns<std::vector<BodyRef>> slept() const { return all(wobble_world_slept); }
    Returns<std::vector<BodyRef>> woke() const { return all(wobble_world_woke); }
    Returns<void> wake_all() const { return detail::done(wobble_world_wake_all(handle_)); }

    // Pieces of bodies that broke in the last step or were cut since, and which particles went where.
    Returns<std::vector<WobbleBreak>> breaks() const {
        return detail::list<WobbleBreak>(
            [&](std::uint32_t* count) {
                std::uint32_t particles = 0;
                return wobble_world_break_count(handle_, count, &particles);
            },
            [&](auto... out) { return wobble_world_breaks(handle_, out...); });
    }
    Returns<std::vector<std::uint32_t>> broken_particles() const {
        return detail::list<std::uint32_t>(
            [&](std::uint32_t* particles) {
                std::uint32_t count = 0;
                return wobble_world_break_count(handle_, &count, particles);
            },
            [&](auto... out) { return wobble_world_broken_particles(handle_, out...); });
    }
    Returns<std::uint32_t> most_fractures() const {
        return detail::get<std::uint32_t>(wobble_world_most_fractures, handle_);
    }
    Returns<void> set_most_fractures(std::uint32_t most) const {
        return detail::done(wobble_world_set_most_fractures(handle_, most));
    }

    Returns<std::uint32_t> snapshot_size() const {
        return detail::get<std::uint32_t>(wobble_world_snapshot_size, handle_);
    }
    Returns<std::vector<std::uint8_t>> snapshot() const {
        return detail::list<std::uint8_t>(
            [&](std::uint32_t* size) { return wobble_world_snapshot_size(handle_, size); },
            [&](auto... out) { return wobble_world_snapshot(handle_, out...); });
    }
    Returns<std::uint32_t> snapshot_into(span<std::uint8_t> bytes) const {
        return detail::get<std::uint32_t>(wobble_world_snapshot, handle_, bytes.data(),
                                          detail::count32(bytes.size()));
    }
    // `shapes`: those of the snapshot's bodies that no body of this world has at present.
    Returns<void> restore(span<const std::uint8_t> bytes, span<const Shape> shapes = {}) const {
        static_assert(sizeof(Shape) == sizeof(WobbleShape) && std::is_standard_layout_v<Shape>);
        return detail::done(wobble_world_restore(handle_, bytes.data(), detail::count32(bytes.size()),
                                                 reinterpret_cast<const WobbleShape*>(shapes.data()),
                                                 detail::count32(shapes.size())));
    }

protected:
    void end() const noexcept {
        if (handle_.bits != 0) wobble_world_destroy(handle_);
    }

private:
    Returns<std::vector<BodyRef>> all(WobbleStatus (*list)(WobbleWorld, WobbleBody*, std::uint32_t,
                                                           std::uint32_t*)) const {
        static_assert(sizeof(BodyRef) == sizeof(WobbleBody) && std::is_standard_layout_v<BodyRef>);
        return detail::list<BodyRef>(
            [&](std::uint32_t* count) { return wobble_world_body_count(handle_, count); },
            [&](BodyRef* out, std::uint32_t capacity, std::uint32_t* count) {
                return list(handle_, reinterpret_cast<WobbleBody*>(out), capacity, count);
            });
    }
    // Handles of a list, each with its world.
    template <class Ref, class Handle, class Count, class List>
    Returns<std::vector<Ref>> named(Count count, List list) const {
        std::vector<Ref> refs;
        std::vector<Handle> handles;
        std::uint32_t found = 0;
        WobbleStatus status = count(handle_, &found);
        if (status == WOBBLE_STATUS_OK) {
            handles.resize(found);
            status = list(handle_, handles.data(), found, &found);
        }
        for (Handle handle : handles) refs.push_back(Ref(handle, handle_));
        return detail::give<std::vector<Ref>>(status, std::move(refs));
    }
    WobbleStatus most_partners(std::uint32_t* count) const noexcept {
        std::uint32_t bodies = 0;
        WobbleStatus status = wobble_world_body_count(handle_, &bodies);
        if (status == WOBBLE_STATUS_OK) status = wobble_world_collider_count(handle_, count);
        *count += bodies;
        return status;
    }
    WobbleWorld handle_{0};
};

// Owns a world with all that is in it. Waits for a step in the background when it ends.
class [[nodiscard]] World : public Owner<WorldRef> {
public:
    using Owner::Owner;
    static Returns<World> create(const WobbleWorldDef& def = WorldDef()) {
        WobbleWorld world{0};
        WobbleStatus status = wobble_world_create(&def, &world);
        return detail::give<World>(status, World(WorldRef(world)));
    }
};

inline Returns<WorldRef> BodyRef::world() const {
    WobbleWorld world{0};
    WobbleStatus status = wobble_body_world(handle_, &world);
    return detail::give<WorldRef>(status, WorldRef(world));
}

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#undef WOBBLE_DETAIL_CATCHES
#undef WOBBLE_DETAIL_KIND

#endif  // WOBBLE_HPP
