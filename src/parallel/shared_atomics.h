// Numbers or flags that this process and its copies have together: what one writes the others see.

#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "base/check.h"

namespace ravel {

template <class T>
class SharedAtomics {
 public:
  explicit SharedAtomics(std::size_t count) : count_(count) {
    static_assert(std::atomic<T>::is_always_lock_free);
    void* const memory = mmap(nullptr, count * sizeof(std::atomic<T>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK_MESSAGE(memory != MAP_FAILED, "out of memory");
    atomics_ = static_cast<std::atomic<T>*>(memory);
    for (std::size_t i = 0; i < count; ++i) new (atomics_ + i) std::atomic<T>(T());
  }
  ~SharedAtomics() { munmap(atomics_, count_ * sizeof(std::atomic<T>)); }
  SharedAtomics(const SharedAtomics&) = delete;
  SharedAtomics& operator=(const SharedAtomics&) = delete;

  std::atomic<T>& operator[](std::size_t index) { return atomics_[index]; }
  std::size_t size() const { return count_; }

 private:
  const std::size_t count_;
  std::atomic<T>* atomics_;
};

using SharedFlags = SharedAtomics<bool>;

}  // namespace ravel
