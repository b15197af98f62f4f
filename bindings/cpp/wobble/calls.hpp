// Definitions, the log, and the way from C calls to Returns.

#ifndef WOBBLE_CALLS_HPP
#define WOBBLE_CALLS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

// Definitions, filled with their defaults.

struct WorldDef : WobbleWorldDef {
    WorldDef() noexcept : WobbleWorldDef{} { wobble_world_def_init(this, sizeof(WobbleWorldDef)); }
};
struct ColliderDef : WobbleColliderDef {
    ColliderDef() noexcept : WobbleColliderDef{} { wobble_collider_def_init(this, sizeof(WobbleColliderDef)); }
};
struct ShapeDef : WobbleShapeDef {
    ShapeDef() noexcept : WobbleShapeDef{} { wobble_shape_def_init(this, sizeof(WobbleShapeDef)); }
};
struct BodyDef : WobbleBodyDef {
    BodyDef() noexcept : WobbleBodyDef{} { wobble_body_def_init(this, sizeof(WobbleBodyDef)); }
};
struct Material : WobbleMaterial {
    Material() noexcept : WobbleMaterial{} { wobble_material_init(this, sizeof(WobbleMaterial)); }
    // "jelly", "rubber", "flesh", "foam", "gummy" or "water balloon".
    static Returns<Material> named(const char* name);
};
// How a body keeps what deforms it.
struct Plasticity : WobblePlasticity {
    Plasticity() noexcept : WobblePlasticity{} { wobble_plasticity_init(this, sizeof(WobblePlasticity)); }
};
// How a body breaks.
struct Fracture : WobbleFracture {
    Fracture() noexcept : WobbleFracture{} { wobble_fracture_init(this, sizeof(WobbleFracture)); }
};

namespace detail {

template <class T>
Returns<T> give(WobbleStatus status, T&& value, const char* why = nullptr) {
    if (status == WOBBLE_STATUS_OK) return std::move(value);
#ifdef WOBBLE_NO_EXCEPTIONS
    return Result<T>(Status(status), why);
#else
    throw Error(Status(status), why);
#endif
}

inline Returns<void> done(WobbleStatus status) {
#ifdef WOBBLE_NO_EXCEPTIONS
    return Result<void>(Status(status));
#else
    if (status != WOBBLE_STATUS_OK) throw Error(Status(status));
#endif
}

template <class T, class Call, class... Args>
Returns<T> get(Call call, Args... args) {
    T value{};
    WobbleStatus status = call(args..., &value);
    return give<T>(status, std::move(value));
}

// For structs that begin with their size.
template <class T, class Call, class... Args>
Returns<T> get_sized(Call call, Args... args) {
    T value{};
    value.struct_size = sizeof(T);
    WobbleStatus status = call(args..., &value);
    return give<T>(status, std::move(value));
}

template <class Call, class... Args>
Returns<bool> get_flag(Call call, Args... args) {
    std::uint32_t value = 0;
    WobbleStatus status = call(args..., &value);
    return give<bool>(status, value != 0);
}

// As many as `size` says, written by `read`.
template <class T, class Size, class Read>
Returns<std::vector<T>> list(Size size, Read read) {
    std::vector<T> items;
    std::uint32_t count = 0;
    WobbleStatus status = size(&count);
    if (status == WOBBLE_STATUS_OK) {
        items.resize(count);
        status = read(items.data(), count, &count);
    }
    if (status == WOBBLE_STATUS_OK) items.resize(count);
    return give<std::vector<T>>(status, std::move(items));
}

inline WobbleStatus cluster_count(WobbleShape shape, std::uint32_t level, std::uint32_t* count) noexcept {
    LevelReport report{};
    report.struct_size = sizeof report;
    WobbleStatus status = wobble_shape_level_report(shape, level, &report);
    *count = report.clusters;
    return status;
}

template <class T>
float* floats(T* items) noexcept {
    return reinterpret_cast<float*>(items);
}

struct Log {
    std::mutex lock;
    std::shared_ptr<std::function<void(Severity, const char*)>> listener;
};

// Lives until the process ends, since a background step may log to the last.
inline Log& log() noexcept {
    union Kept {
        Log log;
        Kept() noexcept : log() {}
        ~Kept() {}
    };
    static Kept kept;
    return kept.log;
}

inline void tell_log(std::uint32_t severity, const char* message, void*) {
    std::unique_lock<std::mutex> held(log().lock);
    auto listener = log().listener;
    held.unlock();
    if (!listener) return;
#if WOBBLE_DETAIL_CATCHES
    try {
        (*listener)(Severity(severity), message);
    } catch (...) {
    }
#else
    (*listener)(Severity(severity), message);
#endif
}

// A progress function, and what it threw.
template <class F>
struct Progress {
    F& function;
#if WOBBLE_DETAIL_CATCHES
    std::exception_ptr thrown = nullptr;
#endif

    void listen(WobbleShapeDef& def) noexcept {
        def.progress = tell;
        def.progress_user = this;
    }

    void rethrow() const {
#if WOBBLE_DETAIL_CATCHES
        if (thrown) std::rethrow_exception(thrown);
#endif
    }

    bool go_on(float fraction) {
        if constexpr (std::is_void_v<std::invoke_result_t<F&, float>>) {
            function(fraction);
            return true;
        } else {
            return bool(function(fraction));
        }
    }

    static std::uint32_t tell(float fraction, void* user) {
        auto& self = *static_cast<Progress*>(user);
#if WOBBLE_DETAIL_CATCHES
        try {
            return self.go_on(fraction);
        } catch (...) {
            self.thrown = std::current_exception();
            return 0;
        }
#else
        return self.go_on(fraction);
#endif
    }
};

}  // namespace detail

inline Returns<Material> Material::named(const char* name) {
    Material material;
    WobbleStatus status = wobble_material_named(name, &material);
    return detail::give<Material>(status, std::move(material));
}

// Who hears of bodies that went out of bounds and of faults, from any thread; null for nobody. One
// for the whole process. What the listener throws is dropped.
inline void set_log(std::function<void(Severity, const char*)> listener) {
    bool some = bool(listener);
    auto kept = some ? std::make_shared<decltype(listener)>(std::move(listener)) : nullptr;
    {
        std::lock_guard<std::mutex> held(detail::log().lock);
        std::swap(detail::log().listener, kept);
    }
    wobble_set_log_callback(some ? detail::tell_log : nullptr, nullptr);
}

// Runs `work` and returns what it returns as a Result, whichever way errors are told.
template <class F>
auto attempt(F&& work) {
#ifdef WOBBLE_NO_EXCEPTIONS
    return work();
#else
    using T = std::decay_t<decltype(work())>;
    try {
        if constexpr (std::is_void_v<T>) {
            work();
            return Result<void>();
        } else {
            return Result<T>(work());
        }
    } catch (const Error& error) {
        return static_cast<Result<T>>(error.result());
    }
#endif
}

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_CALLS_HPP
