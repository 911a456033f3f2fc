// A stack for walks over terms: it lives in the C++ frame until it grows beyond `kInline` entries, so that
// a shallow walk allocates nothing and a deep one cannot overflow the stack of the program.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace ravel::erlang {

template <class T, std::size_t kInline>
class WorkStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  WorkStack() {}  // not defaulted: that would let callers zero the whole array
  WorkStack(const WorkStack&) = delete;
  WorkStack& operator=(const WorkStack&) = delete;

  bool is_empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void push(const T& value) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    data()[size_++] = value;
  }
  // REQUIRES: !is_empty().
  T pop() { return data()[--size_]; }
  T& top() { return data()[size_ - 1]; }

 private:
  T* data() { return grown_ != nullptr ? grown_.get() : inline_; }
  void grow() {
    auto larger = std::make_unique_for_overwrite<T[]>(capacity_ * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = data()[i];
    grown_ = std::move(larger);
    capacity_ *= 2;
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  std::unique_ptr<T[]> grown_;
  T inline_[kInline];
};

}  // namespace ravel::erlang
