// What queries find.

#ifndef WOBBLE_QUERY_HPP
#define WOBBLE_QUERY_HPP

#include <cstdint>

#include "calls.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// A body or a collider; the other is null.
using Partner = WobblePartner;

// Whom a query meets, as with bodies.
struct Groups {
    std::uint32_t group = 1, mask = UINT32_MAX;
};

// True if something was found.
struct Hit : WobbleHit {
    Hit() noexcept : WobbleHit{} {}
    explicit operator bool() const noexcept { return found != 0; }
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_QUERY_HPP
