#include "threads/runtime/sync_object.h"

#include <cstddef>
#include <new>

#include "threads/runtime/layout.h"
#include "threads/runtime/mappings.h"

namespace ravel::threads {

namespace {

// All zeros at first.
struct Place {
  std::uint64_t is_taken;
  alignas(SyncObject) std::byte object[sizeof(SyncObject)];
};

// Objects that find no place so near to their own have one that depends on what was there before.
constexpr std::size_t kTriesMax = 64;

Place* places = nullptr;  // at kObjectsBase, once objects have been lasting; null, too, if there is no room

}  // namespace

void SyncObjects::set_lasting(bool are_lasting) {
  are_lasting_ = are_lasting;
  if (are_lasting && places == nullptr)
    places = static_cast<Place*>(reserve_at(kObjectsBase, kObjectPlaces * sizeof(Place)));
}

SyncObject* SyncObjects::make_lasting(std::uint64_t address) {
  for (std::size_t tries = 0; places != nullptr && tries < kTriesMax; ++tries) {
    Place& place = places[(hash(address) + tries) % kObjectPlaces];
    if (place.is_taken != 0) continue;
    place.is_taken = 1;
    return new (place.object) SyncObject;
  }
  return new SyncObject;
}

SyncObject& SyncObjects::take(std::uint64_t address) {
  if (!are_lasting_) {
    if (used_ == pool_.size()) pool_.push_back(std::make_unique<SyncObject>());
    return *pool_[used_++];
  }
  SyncObject*& object = lasting_[address];
  if (object == nullptr) {
    object = make_lasting(address);
    for (std::vector<Thread*>* const list : {&object->waiters, &object->readers}) list->reserve(16);
  }
  present_.push_back(object);
  ++used_;
  return *object;
}

SyncObject& SyncObjects::add(Entry& entry, std::uint64_t address, SyncKind kind) {
  SyncObject& object = take(address);
  object.address = address;
  object.kind = kind;
  object.owner = nullptr;
  object.count = 0;
  object.generation = 0;
  object.is_done = false;
  object.is_destroyed = false;
  object.version = 0;
  object.locked_at = 0;
  object.locked_stack.clear();
  object.waiters.clear();
  object.readers.clear();
  object.clock.clear();
  object.readers_clock.clear();
  entry = {.address = address, .stamp = stamp_, .object = &object};
  if (used_ * 2 > entries_.size()) grow();
  return object;
}

std::vector<const SyncObject*> SyncObjects::all() const {
  if (are_lasting_) return {present_.begin(), present_.end()};
  std::vector<const SyncObject*> objects;
  for (std::size_t i = 0; i < used_; ++i) objects.push_back(pool_[i].get());
  return objects;
}

void SyncObjects::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  mask_ = entries_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.stamp != stamp_) continue;
    std::size_t place = hash(entry.address) & mask_;
    while (entries_[place].stamp == stamp_) place = (place + 1) & mask_;
    entries_[place] = entry;
  }
}

}  // namespace ravel::threads
