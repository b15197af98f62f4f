// Force fields.

#ifndef WOBBLE_FIELD_HPP
#define WOBBLE_FIELD_HPP

#include "owner.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

struct FieldDef : WobbleFieldDef {
    FieldDef() noexcept : WobbleFieldDef{} { wobble_field_def_init(this, sizeof(WobbleFieldDef)); }
    static FieldDef wind(Vec3 velocity, float drag) noexcept {
        FieldDef def;
        def.velocity = velocity;
        def.drag = drag;
        return def;
    }
    static FieldDef attractor(Vec3 centre, float strength, float radius) noexcept {
        FieldDef def;
        def.kind = WOBBLE_FIELD_ATTRACTOR;
        def.centre = centre;
        def.strength = strength;
        def.radius = radius;
        return def;
    }
    // A fluid below y = surface.
    static FieldDef buoyancy(float surface, float density_ratio, float drag) noexcept {
        FieldDef def;
        def.kind = WOBBLE_FIELD_BUOYANCY;
        def.offset = surface;
        def.density_ratio = density_ratio;
        def.drag = drag;
        return def;
    }
};

// Names a force field without owning it.
class FieldRef {
public:
    FieldRef() noexcept = default;
    FieldRef(WobbleField handle, WobbleWorld world) noexcept : handle_(handle), world_(world) {}
    WobbleField handle() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.bits != 0; }
    friend bool operator==(FieldRef a, FieldRef b) noexcept { return a.handle_.bits == b.handle_.bits; }
    friend bool operator!=(FieldRef a, FieldRef b) noexcept { return !(a == b); }
    Returns<void> destroy() const { return detail::done(wobble_field_destroy(handle_)); }
    Returns<FieldDef> definition() const { return detail::get<FieldDef>(wobble_field_definition, handle_); }
    Returns<void> set_definition(const WobbleFieldDef& def) const {
        return detail::done(wobble_field_set_definition(handle_, &def));
    }

protected:
    void end() const noexcept { detail::end(handle_, world_, wobble_field_destroy); }

private:
    WobbleField handle_{0};
    WobbleWorld world_{0};
};

using Field = Owner<FieldRef>;

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_FIELD_HPP
