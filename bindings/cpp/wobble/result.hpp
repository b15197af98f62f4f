// What calls return: a Result, or a value and at times an Error.

#ifndef WOBBLE_RESULT_HPP
#define WOBBLE_RESULT_HPP

#include <cstdint>
#include <utility>

#include "wobble.h"

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define WOBBLE_DETAIL_CATCHES 1
#include <exception>
#else
#define WOBBLE_DETAIL_CATCHES 0
#ifndef WOBBLE_NO_EXCEPTIONS
#define WOBBLE_NO_EXCEPTIONS
#endif
#endif

#ifdef WOBBLE_NO_EXCEPTIONS
#define WOBBLE_DETAIL_KIND codes
#else
#define WOBBLE_DETAIL_KIND throwing
#include <stdexcept>
#endif


namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

using Vec3 = WobbleVec3;
using Quat = WobbleQuat;
using Transform = WobbleTransform;
using Bounds = WobbleBounds;
using Profile = WobbleProfile;
using Statistics = WobbleStatistics;
using LevelReport = WobbleLevelReport;
using Membership = WobbleMembership;
using ClusterPlane = WobbleClusterPlane;

enum class Status : std::int32_t {
    ok = WOBBLE_STATUS_OK,
    null_pointer = WOBBLE_STATUS_NULL_POINTER,
    null_handle = WOBBLE_STATUS_NULL_HANDLE,
    invalid_handle = WOBBLE_STATUS_INVALID_HANDLE,
    stale_handle = WOBBLE_STATUS_STALE_HANDLE,
    invalid_argument = WOBBLE_STATUS_INVALID_ARGUMENT,
    buffer_too_small = WOBBLE_STATUS_BUFFER_TOO_SMALL,
    struct_size = WOBBLE_STATUS_STRUCT_SIZE,
    busy = WOBBLE_STATUS_BUSY,
    cancelled = WOBBLE_STATUS_CANCELLED,
    corrupt = WOBBLE_STATUS_CORRUPT,
    version = WOBBLE_STATUS_VERSION,
    missing_shape = WOBBLE_STATUS_MISSING_SHAPE,
    unknown_name = WOBBLE_STATUS_UNKNOWN_NAME,
    out_of_memory = WOBBLE_STATUS_OUT_OF_MEMORY,
    too_many = WOBBLE_STATUS_TOO_MANY,
    poisoned = WOBBLE_STATUS_POISONED,
    internal = WOBBLE_STATUS_INTERNAL,
};

enum class Severity : std::uint32_t { warning = WOBBLE_LOG_WARNING, error = WOBBLE_LOG_ERROR };

inline const char* name(Status status) noexcept { return wobble_status_name(WobbleStatus(status)); }
inline const char* version() noexcept { return wobble_version(); }
inline std::uint32_t abi_version() noexcept { return wobble_abi_version(); }
inline const char* last_error() noexcept { return wobble_last_error(); }

// A status, and the value if it is ok; otherwise the value is a default one.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) noexcept : value_(std::move(value)) {}
    Result(Status status, const char* why = nullptr) noexcept : status_(status), why_(why) {}
    bool ok() const noexcept { return status_ == Status::ok; }
    explicit operator bool() const noexcept { return ok(); }
    Status status() const noexcept { return status_; }
    // The library's sentence: ask before another call on this thread fails.
    const char* message() const noexcept { return ok() ? "" : why_ ? why_ : last_error(); }
    T& operator*() & noexcept { return value_; }
    const T& operator*() const& noexcept { return value_; }
    T&& operator*() && noexcept { return std::move(value_); }
    T* operator->() noexcept { return &value_; }
    const T* operator->() const noexcept { return &value_; }
    T value_or(T other) && { return ok() ? std::move(value_) : std::move(other); }

private:
    T value_{};
    Status status_ = Status::ok;
    const char* why_ = nullptr;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result(Status status = Status::ok, const char* why = nullptr) noexcept : status_(status), why_(why) {}
    template <class T>
    operator Result<T>() const noexcept { return Result<T>(status_, why_); }
    bool ok() const noexcept { return status_ == Status::ok; }
    explicit operator bool() const noexcept { return ok(); }
    Status status() const noexcept { return status_; }
    const char* message() const noexcept { return ok() ? "" : why_ ? why_ : last_error(); }

private:
    Status status_;
    const char* why_;
};

#ifdef WOBBLE_NO_EXCEPTIONS
template <class T>
using Returns = Result<T>;
#else
template <class T>
using Returns = T;

// what() is the library's sentence: which field, which value, what to do.
class Error : public std::runtime_error {
public:
    // `why` lives for ever; null for the library's last sentence.
    explicit Error(Status status, const char* why = nullptr)
        : std::runtime_error(why ? why : last_error()), status_(status), why_(why) {}
    Status status() const noexcept { return status_; }
    Result<void> result() const noexcept { return Result<void>(status_, why_); }

private:
    Status status_;
    const char* why_;
};
#endif

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_RESULT_HPP
