// The host's memory and the library's: items side by side, or a fixed number of bytes apart.

#ifndef WOBBLE_MEMORY_HPP
#define WOBBLE_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "result.hpp"

namespace wobble {
inline namespace WOBBLE_DETAIL_KIND {

namespace detail {
// Larger counts than the library takes are refused by it, so they may be cut off.
inline std::uint32_t count32(std::size_t count) noexcept {
    return count > UINT32_MAX ? UINT32_MAX : std::uint32_t(count);
}
template <class C, class T>
using if_holds = std::enable_if_t<
    std::is_convertible_v<decltype(std::data(std::declval<C&>())), T*> &&
    std::is_same_v<std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>,
                   std::remove_cv_t<T>>>;
}  // namespace detail

// Items side by side in someone else's memory.
template <class T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class C, class = detail::if_holds<C, T>>
    constexpr span(C&& items) noexcept : data_(std::data(items)), size_(std::size(items)) {}
    constexpr T* data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T* begin() const noexcept { return data_; }
    constexpr T* end() const noexcept { return data_ + size_; }
    constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Items a fixed number of bytes apart in someone else's memory: the host's own vertices, or what
// the library lends. To pass vertices: view<const Vec3>(&vertices[0].x, count, sizeof(Vertex)).
template <class T>
class view {
    using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    using Number = std::conditional_t<std::is_const_v<T>, const float, float>;

public:
    class iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = std::remove_cv_t<T>;
        using difference_type = std::ptrdiff_t;
        using pointer = T*;
        using reference = T&;
        iterator() noexcept = default;
        iterator(Byte* at, std::size_t stride) noexcept : at_(at), stride_(stride) {}
        T& operator*() const noexcept { return *reinterpret_cast<T*>(at_); }
        T* operator->() const noexcept { return reinterpret_cast<T*>(at_); }
        iterator& operator++() noexcept { return at_ += stride_, *this; }
        iterator operator++(int) noexcept { return std::exchange(*this, iterator(at_ + stride_, stride_)); }
        bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }
        bool operator!=(const iterator& other) const noexcept { return at_ != other.at_; }

    private:
        Byte* at_ = nullptr;
        std::size_t stride_ = 0;
    };

    view() noexcept = default;
    // From the first item, or its first float.
    template <class U>
    view(U* data, std::size_t size, std::size_t stride) noexcept
        : data_(reinterpret_cast<Byte*>(data)), size_(size), stride_(stride) {
        using Item = std::remove_cv_t<U>;
        static_assert(std::is_same_v<Item, float> || std::is_same_v<Item, std::remove_cv_t<T>>);
    }
    template <class C, class = detail::if_holds<C, T>>
    view(C&& items) noexcept : data_(reinterpret_cast<Byte*>(std::data(items))), size_(std::size(items)) {}
    Number* floats() const noexcept { return reinterpret_cast<Number*>(data_); }
    std::size_t size() const noexcept { return size_; }
    std::size_t stride() const noexcept { return stride_; }
    bool empty() const noexcept { return size_ == 0; }
    T& operator[](std::size_t i) const noexcept { return *reinterpret_cast<T*>(data_ + i * stride_); }
    iterator begin() const noexcept { return iterator(data_, stride_); }
    iterator end() const noexcept { return iterator(data_ ? data_ + size_ * stride_ : data_, stride_); }

private:
    Byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t stride_ = sizeof(T);
};

}  // namespace WOBBLE_DETAIL_KIND
}  // namespace wobble

#endif  // WOBBLE_MEMORY_HPP
