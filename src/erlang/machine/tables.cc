#include "erlang/machine/tables.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

// The image of a table:
//   {Id, Name, Owner, OwnerOrder, Heir, HeirData, Flags, KeyPosition, WriteConcurrency, Size, Rows,
//     DeletedKeys,
//    Fixations}
constexpr Word kImageSize = 12;

Term small(std::uint64_t n) { return Term::small(static_cast<std::int64_t>(n)); }

std::uint64_t pack_flags(const TableOptions& o) {
  return static_cast<std::uint64_t>(o.type) | static_cast<std::uint64_t>(o.protection) << 2 |
         std::uint64_t{o.is_named} << 4 | std::uint64_t{o.is_compressed} << 5 |
         std::uint64_t{o.is_read_concurrent} << 6 | std::uint64_t{o.has_decentralized_counters} << 7;
}

TableOptions unpack_flags(std::uint64_t flags) {
  const auto bit = [&](int n) { return (flags >> n & 1) != 0; };
  return {.type = static_cast<TableType>(flags & 3),
          .protection = static_cast<TableProtection>(flags >> 2 & 3),
          .is_named = bit(4),
          .is_compressed = bit(5),
          .is_read_concurrent = bit(6),
          .has_decentralized_counters = bit(7)};
}

Term freeze_table(Store& store, Table& table) {
  for (Term* term : {&table.heir_data, &table.options.write_concurrency, &table.rows, &table.deleted_keys})
    *term = store.intern(*term);
  std::vector<Term> fixations;
  for (const Fixation& fixation : table.fixations)
    fixations.insert(fixations.end(), {fixation.pid, Term::small(fixation.count)});
  const std::array<Term, kImageSize> words = {table.id,
                                              table.name,
                                              table.owner,
                                              table.heir,
                                              table.heir_data,
                                              small(pack_flags(table.options)),
                                              small(table.options.key_position),
                                              table.options.write_concurrency,
                                              small(table.size),
                                              table.rows,
                                              table.deleted_keys,
                                              store.intern_object(Kind::kTuple, fixations)};
  return store.intern_object(Kind::kTuple, words);
}

std::unique_ptr<Table> thaw_table(Term image) {
  const Term* w = image.object() + 1;
  const auto number = [&](int i) { return static_cast<std::uint64_t>(w[i].small_value()); };
  auto table = std::make_unique<Table>();
  table->id = w[0];
  table->name = w[1];
  table->owner = w[2];
  table->heir = w[3];
  table->heir_data = w[4];
  table->options = unpack_flags(number(5));
  table->options.key_position = number(6);
  table->options.write_concurrency = w[7];
  table->size = number(8);
  table->rows = w[9];
  table->deleted_keys = w[10];
  for (Word i = 1; i <= tuple_size(w[11]); i += 2)
    table->fixations.push_back({.pid = element(w[11], i), .count = element(w[11], i + 1).small_value()});
  table->image = image;
  return table;
}

}  // namespace

std::vector<std::unique_ptr<Table>>::const_iterator Tables::place_of(Term id) const {
  return std::ranges::lower_bound(
      tables_, id, [&](Term a, Term b) { return names_.compare_references(a, b) < 0; },
      [](const auto& table) { return table->id; });
}

Table* Tables::find(Term id) const {
  const auto place = place_of(id);
  return place == tables_.end() || (*place)->id != id ? nullptr : place->get();
}

Table* Tables::named(Term name) const {
  for (const auto& table : tables_)
    if (table->name == name && table->options.is_named) return table.get();
  return nullptr;
}

std::vector<Table*> Tables::owned_by(Term pid) const {
  std::vector<Table*> owned;
  for (const auto& table : tables_)
    if (table->owner == pid) owned.push_back(table.get());
  return owned;
}

bool Tables::concern(Term pid) const {
  return std::ranges::any_of(tables_, [&](const std::unique_ptr<Table>& table) {
    return table->owner == pid ||
           std::ranges::find(table->fixations, pid, &Fixation::pid) != table->fixations.end();
  });
}

Table& Tables::add(Table table) {
  const auto place = place_of(table.id);
  CHECK(place == tables_.end() || (*place)->id != table.id);
  const Term owner = table.owner;
  table.owner = Term::none();
  Table& added = **tables_.insert(place, std::make_unique<Table>(std::move(table)));
  give(added, owner);
  return added;
}

void Tables::remove(Table& table) {
  image_ = Term::none();
  tables_.erase(place_of(table.id));
}

void Tables::give(Table& table, Term owner) { touch(table).owner = owner; }

Term Tables::freeze(Store& store) {
  if (!have_changed()) return image_;
  std::vector<Term> images;
  images.reserve(tables_.size());
  for (const auto& table : tables_) {
    if (table->image.is_none()) table->image = freeze_table(store, *table);
    images.push_back(table->image);
  }
  return image_ = store.intern_object(Kind::kTuple, images);
}

void Tables::thaw(Term image) {
  if (image == image_) return;
  std::vector<std::unique_ptr<Table>> old = std::move(tables_);
  tables_.clear();
  tables_.reserve(tuple_size(image));
  std::size_t at = 0;  // old tables and `image` are in the order of identifiers
  for (Word i = 1; i <= tuple_size(image); ++i) {
    const Term wanted = element(image, i);
    while (at < old.size() && names_.compare_references(old[at]->id, element(wanted, 1)) < 0) ++at;
    const bool is_same = at < old.size() && old[at]->image == wanted;
    tables_.push_back(is_same ? std::move(old[at++]) : thaw_table(wanted));
  }
  image_ = image;
}

void Tables::for_each(Roots::Visit visit, void* collector) {
  for (const auto& table : tables_) {
    if (!table->image.is_none()) continue;  // holds stored terms only
    for (Term* term :
         {&table->heir_data, &table->options.write_concurrency, &table->rows, &table->deleted_keys})
      visit(collector, term, 1);
  }
}

}  // namespace ravel::erlang
