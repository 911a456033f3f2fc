// Puts back what an execution has changed outside of stacks and the heap of its threads: the writable data of
// the executable and its libraries, and the blocks that were allocated before main().
//
// The idea: a copy of everything is taken once. Pages are then write-protected; the first write to one is a
// fault, which makes the page writable and puts it on the list of those that are copied back between
// executions. A page that then is found unchanged some times is watched again. So restoring costs what
// programs really change, and nothing is missed. Small ranges of the executable itself are on the list from
// the start: system calls may write there, and these do not fault but fail.

#pragma once

#include <link.h>

#include <cstdint>
#include <vector>

namespace ravel::threads {

class MemoryImage {
 public:
  // Memory, in whole pages, that is to be put back as well. REQUIRES: before take().
  void add_watched(std::uint64_t low, std::uint64_t high);
  // Takes the copy.
  void take();
  void restore();

  // What was written to, if not to be found there now: calls visit(address, copy, size) for pages, or parts
  // of them. The copy is what was there at the start.
  template <class Visit>
  void visit_written(Visit visit) const {
    for (const Page& page : changed_) visit(page.address, page.copy, page.size);
  }

  // Whether a write to this address faulted because of the protection; it is lifted then.
  bool handle_fault(std::uint64_t address);
  // Lifts the protection of the C library's own data, for a call of it that writes there while all signals
  // are blocked.
  void let_library_write();

 private:
  struct Region {
    std::uint64_t low, high;
    std::vector<std::uint64_t> copy;
    std::vector<bool> watched;  // by page, counted from the page of `low`
    bool is_ever_watched = true;
    bool is_of_library = false;             // the C library
    std::vector<std::uint8_t> faults = {};  // by page: how often it was watched in vain, up to a maximum
  };
  struct Page {
    std::uint64_t address;
    const std::uint64_t* copy;
    std::uint64_t size;
    std::uint32_t region;
    std::uint32_t quiet_min;      // unchanged in as many executions in a row it is watched again
    std::uint32_t unchanged = 0;  // in how many it was found so
  };
  static constexpr std::uint32_t kNever = ~0u;
  static int add_module(dl_phdr_info* info, unsigned long size, void* self);
  enum class Watch : std::uint8_t { kIfLarge, kAlways };
  Region* add_region(std::uint64_t low, std::uint64_t high, Watch watch);  // null: it is empty
  void protect(Region& region);
  void watch_quiet_pages();
  void list_page(const Region& region, std::uint64_t page);

  std::vector<Region> regions_;
  std::vector<Page> changed_;
  bool is_first_module_ = true;
};

}  // namespace ravel::threads
