#include "threads/runtime/memory_image.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <string_view>

#include "threads/runtime/layout.h"
#include "threads/runtime/memory_lines.h"

namespace ravel::threads {

namespace {

// Up to this size, data of the executable is not watched but compared after each execution.
constexpr std::uint64_t kUnwatchedMax = 8 * kPageSize;

// A page that was found unchanged in so many executions in a row is watched again: a fault costs as much as
// some hundred looks. With each time that it was watched in vain it takes twice as many, up to a number that
// makes a fault no matter.
constexpr std::uint32_t kQuietMin = 8;
constexpr std::uint8_t kDoublingsMax = 7;

std::uint64_t page_of(std::uint64_t address) { return address & ~(kPageSize - 1); }

// The runtime's own library and the loader, whose lists of threads and libraries must not be set back.
bool is_left_alone(std::string_view path, std::uint64_t low, std::uint64_t high) {
  static const char own = 0;
  const auto here = reinterpret_cast<std::uint64_t>(&own);
  return (here >= low && here < high) || path.find("ld-linux") != path.npos ||
         path.find("linux-vdso") != path.npos;
}

}  // namespace

int MemoryImage::add_module(dl_phdr_info* info, unsigned long, void* self) {
  auto& image = *static_cast<MemoryImage*>(self);
  const bool is_executable = image.is_first_module_;
  image.is_first_module_ = false;
  std::uint64_t low = ~std::uint64_t{0}, high = 0, read_only = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) low = std::min(low, start), high = std::max(high, start + header.p_memsz);
    // The loader has made this part read-only, up to the last whole page.
    if (header.p_type == PT_GNU_RELRO) read_only = page_of(start + header.p_memsz);
  }
  if (is_left_alone(info->dlpi_name, low, high)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    const std::uint64_t start = info->dlpi_addr + header.p_vaddr;
    const std::uint64_t end = start + header.p_memsz;
    Region* const region = image.add_region(read_only > start && read_only < end ? read_only : start, end,
                                            is_executable ? Watch::kIfLarge : Watch::kAlways);
    if (region != nullptr)
      region->is_of_library = std::string_view(info->dlpi_name).find("/libc.so") != std::string_view::npos;
  }
  return 0;
}

void MemoryImage::take() {
  dl_iterate_phdr(add_module, this);
  // All copies are there before anything is protected, since writing this list could itself touch what is.
  for (Region& region : regions_) protect(region);
}

void MemoryImage::add_watched(std::uint64_t low, std::uint64_t high) {
  add_region(low, high, Watch::kAlways);
}

MemoryImage::Region* MemoryImage::add_region(std::uint64_t low, std::uint64_t high, Watch watch) {
  if (low >= high) return nullptr;
  low &= ~std::uint64_t{7};
  high = (high + 7) & ~std::uint64_t{7};
  Region region{.low = low, .high = high, .copy = {}, .watched = {}};
  const auto* const words = reinterpret_cast<const std::uint64_t*>(low);
  region.copy.assign(words, words + (high - low) / sizeof(std::uint64_t));
  const std::uint64_t pages = (page_of(high - 1) - page_of(low)) / kPageSize + 1;
  const bool is_watched = watch == Watch::kAlways || (watch == Watch::kIfLarge && high - low > kUnwatchedMax);
  region.watched.assign(pages, is_watched);
  region.is_ever_watched = is_watched;
  region.faults.assign(pages, 0);
  return &regions_.emplace_back(std::move(region));
}

void MemoryImage::protect(Region& region) {
  for (std::uint64_t page = page_of(region.low); page < region.high; page += kPageSize) {
    if (region.watched[(page - page_of(region.low)) / kPageSize]) {
      mprotect(reinterpret_cast<void*>(page), kPageSize, PROT_READ);
    } else {
      list_page(region, page);
    }
  }
}

void MemoryImage::list_page(const Region& region, std::uint64_t page) {
  const std::uint64_t low = std::max(page, region.low);
  const std::uint64_t high = std::min(page + kPageSize, region.high);
  const auto number = static_cast<std::uint32_t>(&region - regions_.data());
  const std::uint8_t doublings = region.faults[(page - page_of(region.low)) / kPageSize];
  changed_.push_back({.address = low,
                      .copy = region.copy.data() + (low - region.low) / 8,
                      .size = high - low,
                      .region = number,
                      .quiet_min = region.is_ever_watched ? kQuietMin << doublings : kNever});
}

bool MemoryImage::handle_fault(std::uint64_t address) {
  for (Region& region : regions_) {
    if (address < page_of(region.low) || address >= page_of(region.high - 1) + kPageSize) continue;
    const std::uint64_t page = page_of(address);
    auto watched = region.watched[(page - page_of(region.low)) / kPageSize];
    if (!watched) continue;
    // Neighbouring regions can share a page.
    for (Region& other : regions_) {
      if (page < page_of(other.low) || page >= other.high) continue;
      other.watched[(page - page_of(other.low)) / kPageSize] = false;
      std::uint8_t& faults = other.faults[(page - page_of(other.low)) / kPageSize];
      faults = std::min<std::uint8_t>(faults + 1, kDoublingsMax);
      list_page(other, page);
    }
    mprotect(reinterpret_cast<void*>(page), kPageSize, PROT_READ | PROT_WRITE);
    return true;
  }
  return false;
}

void MemoryImage::let_library_write() {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (!regions_[i].is_of_library) continue;
    for (std::uint64_t page = page_of(regions_[i].low); page < regions_[i].high; page += kPageSize)
      handle_fault(page);
  }
}

void MemoryImage::restore() {
  bool any_quiet = false;
  for (Page& page : changed_) {
    if (put_back(reinterpret_cast<std::uint64_t*>(page.address), page.copy,
                 page.size / sizeof(std::uint64_t))) {
      page.unchanged = 0;
    } else if (page.quiet_min != kNever) {
      any_quiet = ++page.unchanged == page.quiet_min || any_quiet;
    }
  }
  if (any_quiet) watch_quiet_pages();
}

void MemoryImage::watch_quiet_pages() {
  const auto is_quiet = [](const Page& page) { return page.unchanged >= page.quiet_min; };
  const std::vector<Page> pages = changed_;
  std::erase_if(changed_, [&](const Page& page) {
    // A page of two regions is quiet only if both of its parts are.
    const bool all = std::ranges::all_of(pages, [&](const Page& other) {
      return page_of(other.address) != page_of(page.address) || is_quiet(other) || other.size == 0;
    });
    if (!is_quiet(page) || !all) return false;
    Region& region = regions_[page.region];
    region.watched[(page_of(page.address) - page_of(region.low)) / kPageSize] = true;
    mprotect(reinterpret_cast<void*>(page_of(page.address)), kPageSize, PROT_READ);
    return true;
  });
}

}  // namespace ravel::threads
