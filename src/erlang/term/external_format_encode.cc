#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/check.h"
#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/external_format.h"
#include "erlang/term/external_format_tags.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/process_number.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

using namespace external_format;

namespace {

constexpr std::size_t kStringMax = 0xFFFF;
constexpr std::uint64_t kOldPortNumberMax = (std::uint64_t{1} << 28) - 1;

// The length of a proper list of bytes that the string form can hold, or 0.
std::size_t string_length(Term list) {
  std::size_t length = 0;
  for (; list.is_cons(); list = list.tail()) {
    const Term head = list.head();
    if (!head.is_small() || (head.small_value() & ~0xFF) != 0 || ++length > kStringMax) return 0;
  }
  return list.is_nil() ? length : 0;
}

class Encoder {
 public:
  Encoder(Heap& heap, const Names& names, const EncodeOptions& options)
      : heap_(heap), names_(names), options_(options) {}

  // False: a binary is too large.
  bool encode(Term term) {
    Term* const top = heap_.top();
    put(kVersion);
    write(term);
    while (!open_.empty()) {
      Open& open = open_.back();
      if (open.container == Container::kList) {
        if (open.list.is_cons()) {
          ++open.count;
          const Term head = open.list.head();
          open.list = open.list.tail();
          write(head);
        } else {
          patch(open.patch_at, open.count);
          const Term tail = open.list;
          open_.pop_back();
          write(tail);
        }
      } else if (open.count > 0) {
        --open.count;
        write(*open.next++);
      } else {
        if (open.container == Container::kFun) patch(open.patch_at, bytes_.size() - open.patch_at);
        open_.pop_back();
      }
    }
    heap_.set_top(top);
    return !is_too_large_;
  }

  std::vector<std::uint8_t>& bytes() { return bytes_; }
  // How far the emulator's estimate of the size lies above the size.
  std::size_t excess() const { return excess_; }

 private:
  enum class Container : std::uint8_t { kArray, kList, kFun };
  // A container whose elements are being written.
  struct Open {
    Container container;
    const Term* next = nullptr;  // arrays and funs: the rest
    Word count = 0;              // arrays and funs: left; lists: done
    Term list = Term::nil();     // lists: the rest
    std::size_t patch_at = 0;    // lists and funs: where the count or size goes
  };

  void put(std::uint8_t byte) { bytes_.push_back(byte); }
  void put(std::size_t size, std::uint64_t value) {
    for (std::size_t i = size; i-- > 0;) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void put(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  void patch(std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes_[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  }

  void write(Term t) {
    if (t.is_cons()) return write_list(t);
    if (t.is_boxed()) return write_object(t);
    if (t.is_small()) return write_small(t.small_value());
    if (t.is_atom()) return write_atom(t);
    if (t.is_nil()) return put(kNil);
    if (t.is_pid()) return write_pid(t);
    if (t.is_reference()) return write_reference(t);
    CHECK(t.is_port());
    write_port(atoms::kNoname, t.port_name(), 0);
  }

  void write_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        if (size <= 0xFF) {
          put(kSmallTuple);
          put(static_cast<std::uint8_t>(size));
        } else {
          put(kLargeTuple);
          put(4, size);
        }
        return open_array(object + 1, size);
      case Kind::kFlatMap:
      case Kind::kHashMap: return write_map(t);
      case Kind::kBytes:
      case Kind::kBitstring: return write_bits(view_bits(t));
      case Kind::kFun: return write_fun(object, size);
      case Kind::kExternalFun:
        put(kExport);
        write_atom(object[1]);
        write_atom(object[2]);
        return write_small(object[3].small_value());
      case Kind::kForeign: return write_foreign(object, size);
      case Kind::kNativeRecord: return write_native_record(t);
      case Kind::kPositiveBig:
      case Kind::kNegativeBig: return write_big(object + 1, size, kind_of(object[0]) == Kind::kNegativeBig);
      case Kind::kFloat: return write_float(float_value(t));
      case Kind::kHashNode:
      case Kind::kMatchContext:
      case Kind::kFrame: break;
    }
    CHECK_MESSAGE(false, "an object that is no term of the language");
  }

  void open_array(const Term* elements, Word count) {
    if (count > 0) open_.push_back({.container = Container::kArray, .next = elements, .count = count});
  }

  void write_list(Term list) {
    if (const std::size_t length = string_length(list); length > 0) {
      put(kString);
      put(2, length);
      for (; list.is_cons(); list = list.tail()) put(static_cast<std::uint8_t>(list.head().small_value()));
      return;
    }
    put(kList);
    open_.push_back({.container = Container::kList, .list = list, .patch_at = bytes_.size()});
    put(4, 0);
  }

  void write_native_record(Term record) {
    const Term definition = record_definition(record);
    const auto values = record_values(record);
    put(Tag::kNativeRecord);
    put(4, values.size());
    put(is_exported_definition(definition) ? 1 : 0);
    write_atom(defining_module(definition));
    write_atom(defined_name(definition));
    for (const Term field : defined_fields(definition)) write_atom(field);
    open_array(values.data(), values.size());
  }

  void write_map(Term map) {
    const Word size = map_size(map);
    put(kMap);
    put(4, size);
    Term* const pairs = heap_.allocate(2 * size);
    // The emulator writes the slots of a large map from the last to the first.
    const bool is_large = !is_flat_map(map);
    Term* next = is_large ? pairs + 2 * size : pairs;
    for (MapIterator iterator(map); iterator.next();) {
      if (is_large) next -= 2;
      next[0] = iterator.key();
      next[1] = iterator.value();
      if (!is_large) next += 2;
    }
    if (options_.is_deterministic && is_large) {
      struct Pair {
        Term key, value;
      };
      auto* first = reinterpret_cast<Pair*>(pairs);
      std::sort(first, first + size,
                [&](const Pair& a, const Pair& b) { return compare_exactly(names_, a.key, b.key) < 0; });
    }
    open_array(pairs, 2 * size);
  }

  void write_small(std::int64_t value) {
    if (value >= 0 && value <= 0xFF) {
      put(kSmallInteger);
      put(static_cast<std::uint8_t>(value));
    } else if (value == static_cast<std::int32_t>(value)) {
      put(kInteger);
      put(4, static_cast<std::uint32_t>(value));
    } else {
      const Term limb(value < 0 ? ~static_cast<Word>(value) + 1 : static_cast<Word>(value));
      write_big(&limb, 1, value < 0);
    }
  }

  void write_big(const Term* limbs, Word count, bool is_negative) {
    const Word size = 8 * count - static_cast<Word>(std::countl_zero(limbs[count - 1].bits())) / 8;
    if (size <= 0xFF) {
      put(kSmallBig);
      put(static_cast<std::uint8_t>(size));
    } else {
      put(kLargeBig);
      put(4, size);
    }
    put(is_negative ? 1 : 0);
    put(limbs, size);
  }

  void write_float(double value) {
    if (options_.minor_version == 0) {
      char text[31] = {};
      std::snprintf(text, sizeof text, "%.20e", value);
      put(kFloatText);
      put(text, sizeof text);
    } else {
      put(kNewFloat);
      put(8, __builtin_bit_cast(std::uint64_t, value));
    }
  }

  void write_bits(const BitView& view) {
    const std::uint64_t size = (view.length + 7) / 8;
    if (size > 0xFFFFFFFF) {
      is_too_large_ = true;
      return;
    }
    const auto last_bits = static_cast<std::uint8_t>(view.length % 8);
    put(last_bits == 0 ? kBinary : kBitBinary);
    put(4, size);
    if (last_bits != 0) put(last_bits);
    if (view.is_byte_aligned() && last_bits == 0) return put(view.data(), size);
    const std::size_t start = bytes_.size();
    bytes_.resize(start + size);
    copy_bits(bytes_.data() + start, 0, view.bytes, view.offset, view.length);
  }

  void write_atom(Term atom) {
    std::string_view text = names_.atoms.text(atom);
    std::string latin1;
    bool is_latin1 = options_.minor_version < 2;
    if (is_latin1 &&
        std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
      const auto converted = utf8_to_latin1(text);
      is_latin1 = converted.has_value();
      if (is_latin1) text = latin1 = *converted;
    }
    if (is_latin1) {
      put(kAtomLatin1);
      put(2, text.size());
    } else if (text.size() <= 0xFF) {
      put(kSmallAtomUtf8);
      put(static_cast<std::uint8_t>(text.size()));
    } else {
      put(kAtomUtf8);
      put(2, text.size());
    }
    put(text.data(), text.size());
  }

  void write_pid(Term pid) {
    const std::uint64_t number = process_number(names_, pid);
    put(kNewPid);
    write_atom(atoms::kNoname);
    put(4, number & 0xFFFFFFFF);
    put(4, number >> 32);
    put(4, 0);
  }

  void write_reference(Term reference) {
    const std::uint64_t number = process_number(names_, Names::creator_of(reference));
    const std::uint64_t index = Names::index_of(reference);
    put(kNewerReference);
    put(2, 3);
    write_atom(atoms::kNoname);
    put(4, 0);
    put(4, index & 0xFFFFFFFF);
    put(4, (number << 4 | index >> 32) & 0xFFFFFFFF);
    put(4, number >> 28);
  }

  void write_port(Term node, std::uint64_t number, std::uint64_t creation) {
    const bool is_long = number > kOldPortNumberMax;
    put(is_long ? kV4Port : kNewPort);
    write_atom(node);
    put(is_long ? 8 : 4, number);
    put(4, creation);
  }

  void write_foreign(const Term* object, Word size) {
    const auto number = [&](Word i) {
      return object[i].is_small() ? static_cast<std::uint64_t>(object[i].small_value())
                                  : object[i].object()[1].bits();
    };
    if (object[1] == atoms::kPort) return write_port(object[2], number(4), number(3));
    if (object[1] == atoms::kPid) {
      put(kNewPid);
      write_atom(object[2]);
      put(4, number(4));
      put(4, number(5));
      put(4, number(3));
      return;
    }
    CHECK(object[1] == atoms::kReference);
    put(kNewerReference);
    put(2, size - 3);
    write_atom(object[2]);
    put(4, number(3));
    for (Word i = 4; i <= size; ++i) put(4, number(i));
  }

  void write_fun(const Term* object, Word size) {
    const FunEntry& entry = names_.fun(static_cast<std::uint32_t>(object[1].small_value()));
    const Word free_count = size - 2;
    put(kNewFun);
    const std::size_t size_at = bytes_.size();
    put(4, 0);
    put(static_cast<std::uint8_t>(object[2].small_value()));
    put(entry.uniq, sizeof entry.uniq);
    put(4, entry.index);
    put(4, free_count);
    write_atom(entry.module);
    const std::size_t before_numbers = bytes_.size();
    write_small(entry.index);
    write_small(entry.old_uniq);
    constexpr std::size_t kEstimatedNumbers = 10;
    excess_ += kEstimatedNumbers - (bytes_.size() - before_numbers);
    // Funs do not remember who made them.
    write_pid(names_.root_pid());
    open_.push_back(
        {.container = Container::kFun, .next = object + 3, .count = free_count, .patch_at = size_at});
  }

  Heap& heap_;
  const Names& names_;
  const EncodeOptions& options_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Open> open_;
  std::size_t excess_ = 0;
  bool is_too_large_ = false;
};

// The compressed form, or nothing if it is not smaller.
std::vector<std::uint8_t> compress(std::span<const std::uint8_t> encoded, int level) {
  constexpr std::size_t kHeader = 6;
  if (encoded.size() <= kHeader || encoded.size() > 0xFFFFFFFF) return {};
  std::vector<std::uint8_t> result(encoded.size());
  uLongf size = encoded.size() - kHeader;
  if (compress2(result.data() + kHeader, &size, encoded.data() + 1, encoded.size() - 1, level) != Z_OK)
    return {};
  result.resize(kHeader + size);
  result[0] = kVersion;
  result[1] = kCompressed;
  for (std::size_t i = 0; i < 4; ++i)
    result[2 + i] = static_cast<std::uint8_t>((encoded.size() - 1) >> (24 - 8 * i));
  return result;
}

}  // namespace

Result<std::vector<std::uint8_t>> encode_external(Heap& heap, const Names& names, Term term,
                                                  const EncodeOptions& options) {
  Encoder encoder(heap, names, options);
  if (!encoder.encode(term)) return Error{"a binary above 4 GiB does not fit the external term format"};
  if (options.compression != 0) {
    auto compressed = compress(encoder.bytes(), options.compression);
    if (!compressed.empty()) return compressed;
  }
  return std::move(encoder.bytes());
}

std::size_t external_size(Heap& heap, const Names& names, Term term, const EncodeOptions& options) {
  Encoder encoder(heap, names, options);
  encoder.encode(term);
  return encoder.bytes().size() + encoder.excess();
}

}  // namespace ravel::erlang
