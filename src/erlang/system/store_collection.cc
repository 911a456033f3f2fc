#include "erlang/system/store_collection.h"

namespace ravel::erlang {

void StoreCollection::collect() {
  machine_.collect_store_if_due(*this);
  for (TermKeeper* const keeper : keepers_) keeper->note_collected();
}

void StoreCollection::for_each(Visit visit, void* collector) {
  for (TermKeeper* const keeper : keepers_) keeper->for_each(visit, collector);
}

}  // namespace ravel::erlang
