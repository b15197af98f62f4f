// Owning what a handle names.

#ifndef WOBBLE_OWNER_HPP
#define WOBBLE_OWNER_HPP

#include <utility>

#include "calls.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// Owns what a Ref names: destroys it at the end of its life unless it was detached. What was
// destroyed before, with its world for one, is let be.
template <class Ref>
class [[nodiscard]] Owner : public Ref {
public:
    Owner() noexcept = default;
    explicit Owner(Ref owned) noexcept : Ref(owned) {}
    Owner(Owner&& other) noexcept : Ref(other.detach()) {}
    Owner& operator=(Owner&& other) noexcept {
        if (this == &other) return *this;
        Ref::end();
        static_cast<Ref&>(*this) = other.detach();
        return *this;
    }
    ~Owner() { Ref::end(); }
    Ref detach() noexcept { return std::exchange(static_cast<Ref&>(*this), Ref()); }
};

namespace detail {
// Destroys for certain: a world that steps in the background is waited for.
template <class Handle>
void end(Handle handle, WobbleWorld world, WobbleStatus (*destroy)(Handle)) noexcept {
    while (handle.bits != 0 && destroy(handle) == WOBBLE_STATUS_BUSY) wobble_world_step_wait(world);
}
}  // namespace detail

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_OWNER_HPP
