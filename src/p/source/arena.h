// Memory for trees: nodes are made one by one and freed all at once.
//
// Nodes hold pointers to each other, spans and views of what the same arena holds; they need no destructor,
// and nothing is ever freed before the arena is.

#pragma once

#include <cstring>
#include <memory_resource>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ravel::p {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <typename T>
  T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (memory_.allocate(sizeof(T), alignof(T))) T(std::move(value));
  }

  template <typename T>
  std::span<const T> copy(const std::vector<T>& values) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (values.empty()) return {};
    T* first = static_cast<T*>(memory_.allocate(values.size() * sizeof(T), alignof(T)));
    for (std::size_t i = 0; i < values.size(); ++i) new (first + i) T(values[i]);
    return {first, values.size()};
  }

  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* first = static_cast<char*>(memory_.allocate(text.size(), 1));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace ravel::p
