#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/external_format_tags.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/process_number.h"
#include "erlang/term/release.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

using namespace external_format;

namespace {

// The emulator refuses integers above this size.
constexpr std::size_t kIntegerBytesMax = ((std::size_t{1} << 19) - 1) * 8;
constexpr std::uint64_t kFreeVariablesMax = 255;
constexpr std::uint64_t kReferenceWordsMax = 5;
// Creations of the oldest tags had two bits.
constexpr std::uint64_t kTinyCreationMax = 3;
constexpr std::uint64_t kProcessIdBits = 32;

class Decoder {
 public:
  Decoder(Heap& heap, Names& names, std::span<const std::uint8_t> bytes, NewAtoms new_atoms)
      : heap_(heap), names_(names), at_(bytes.data()), end_(at_ + bytes.size()), new_atoms_(new_atoms) {}

  // None if the bytes are not a term.
  Term decode() {
    Term result = Term::none();
    Term* place = &result;
    while (place != nullptr) {
      if (!read(place) || !finish_frames()) return Term::none();
      place = frames_.empty() ? nullptr : take_place(frames_.back());
    }
    return result;
  }
  const std::uint8_t* position() const { return at_; }

 private:
  enum class Container : std::uint8_t { kTuple, kList, kMap, kFun };

  // A container whose elements are being read.
  struct Frame {
    Container container;
    Word remaining;  // elements still to read
    Term* next;      // where the next one goes
    Term* target;    // of a map: where the map itself goes
    Word pairs;      // of a map
  };

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  // REQUIRES: left() >= size.
  std::uint64_t take(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | *at_++;
    return value;
  }
  bool take(std::size_t size, std::uint64_t& value) {
    if (left() < size) return false;
    value = take(size);
    return true;
  }

  // Every element takes a byte at least: checked over all open containers, this bounds what is allocated.
  bool expect(Word elements) {
    expected_ += elements;
    return elements <= left() && expected_ <= left();
  }
  void open(Container container, Word elements, Term* first, Term* target = nullptr, Word pairs = 0) {
    frames_.push_back(
        {.container = container, .remaining = elements, .next = first, .target = target, .pairs = pairs});
  }
  Term* take_place(Frame& frame) {
    Term* place = frame.next;
    --frame.remaining;
    --expected_;
    switch (frame.container) {
      case Container::kList:  // heads are two words apart; after the last head stands the tail
        frame.next += frame.remaining > 1 ? 2 : 1;
        break;
      case Container::kFun:  // the creator comes first and is overwritten by the first free variable
        if (frame.target == nullptr) ++frame.next;
        frame.target = nullptr;
        break;
      case Container::kTuple:
      case Container::kMap: ++frame.next; break;
    }
    return place;
  }
  // Closes the containers that are complete. False: a map has a key twice.
  bool finish_frames() {
    while (!frames_.empty() && frames_.back().remaining == 0) {
      const Frame frame = frames_.back();
      frames_.pop_back();
      if (frame.container != Container::kMap) continue;
      const Term* pairs = frame.next - 2 * frame.pairs;
      const Term map = map_from_pairs(heap_, names_, std::span<const Term>(pairs, 2 * frame.pairs));
      if (map_size(map) != frame.pairs) return false;
      *frame.target = map;
    }
    return true;
  }

  // Reads one term, or the beginning of a container and opens it. False: not a term.
  bool read(Term* target) {
    std::uint64_t tag;
    std::uint64_t value;
    if (!take(1, tag)) return false;
    switch (tag) {
      case kSmallInteger:
        if (!take(1, value)) return false;
        *target = Term::small(static_cast<std::int64_t>(value));
        return true;
      case kInteger:
        if (!take(4, value)) return false;
        *target = Term::small(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
        return true;
      case kSmallBig: return read_big(target, 1);
      case kLargeBig: return read_big(target, 4);
      case kNewFloat: return take(8, value) && make_float(target, __builtin_bit_cast(double, value));
      case kFloatText: return read_float_text(target);
      case kAtomLatin1:
      case kSmallAtomLatin1:
      case kAtomUtf8:
      case kSmallAtomUtf8: return read_atom_text(target, tag);
      case kSmallTuple: return read_tuple(target, 1);
      case kLargeTuple: return read_tuple(target, 4);
      case kNil: *target = Term::nil(); return true;
      case kString: return read_string(target);
      case kList: return read_list(target);
      case kMap: return read_map(target);
      case kBinary: return read_binary(target);
      case kBitBinary: return read_bit_binary(target);
      case kPid: return read_pid(target, 1);
      case kNewPid: return read_pid(target, 4);
      case kPort: return read_port(target, 4, 1);
      case kNewPort: return read_port(target, 4, 4);
      case kV4Port: return read_port(target, 8, 4);
      case kReference:
      case kNewReference:
      case kNewerReference: return read_reference(target, tag);
      case kExport: return read_export(target);
      case kNewFun: return read_fun(target);
      case Tag::kNativeRecord: return read_native_record(target);
      default: return false;
    }
  }

  bool read_tuple(Term* target, std::size_t size_bytes) {
    std::uint64_t size;
    if (!take(size_bytes, size) || !expect(size)) return false;
    Term* object = heap_.allocate(size + 1);
    object[0] = make_header(Kind::kTuple, size);
    *target = Term::boxed(object);
    if (size > 0) open(Container::kTuple, size, object + 1);
    return true;
  }

  bool read_list(Term* target) {
    std::uint64_t size;
    if (!take(4, size) || !expect(size + 1)) return false;
    if (size == 0) {  // only a tail, which is the term
      open(Container::kTuple, 1, target);
      return true;
    }
    Term* cells = heap_.allocate(2 * size);
    for (Word i = 0; i + 1 < size; ++i) cells[2 * i + 1] = Term::cons(cells + 2 * i + 2);
    *target = Term::cons(cells);
    open(Container::kList, size + 1, cells);
    return true;
  }

  bool read_string(Term* target) {
    std::uint64_t size;
    if (!take(2, size) || left() < size) return false;
    Term* cells = heap_.allocate(2 * size);
    *target = size == 0 ? Term::nil() : Term::cons(cells);
    for (Word i = 0; i < size; ++i) {
      cells[2 * i] = Term::small(*at_++);
      cells[2 * i + 1] = i + 1 < size ? Term::cons(cells + 2 * i + 2) : Term::nil();
    }
    return true;
  }

  bool read_map(Term* target) {
    std::uint64_t size;
    if (!take(4, size) || !expect(2 * size)) return false;
    // Room for the keys and values on the nursery; the map is made when they are complete.
    open(Container::kMap, 2 * size, heap_.allocate(2 * size), target, size);
    return true;
  }

  bool read_native_record(Term* target) {
    std::uint64_t size, flags;
    if (!take(4, size) || !take(1, flags) || flags > 1 || !expect(2 * size)) return false;
    std::vector<Term> definition(kDefinitionHead + size);
    definition[2] = flags == 1 ? atoms::kTrue : atoms::kFalse;
    if (!read_atom(&definition[0]) || !read_atom(&definition[1])) return false;
    for (Word i = 0; i < size; ++i)
      if (!read_atom(&definition[kDefinitionHead + i])) return false;
    for (Word i = kDefinitionHead; i < definition.size(); ++i)  // no field twice
      if (std::find(definition.begin() + kDefinitionHead, definition.begin() + static_cast<std::ptrdiff_t>(i),
                    definition[i]) != definition.begin() + static_cast<std::ptrdiff_t>(i))
        return false;
    const std::vector<Term> unset(size, Term::nil());
    *target = make_native_record(heap_, heap_.tuple(definition), unset);
    if (size > 0) open(Container::kTuple, size, const_cast<Term*>(record_values(*target).data()));
    return true;
  }

  bool read_big(Term* target, std::size_t size_bytes) {
    std::uint64_t size;
    std::uint64_t sign;
    if (!take(size_bytes, size) || size > kIntegerBytesMax || !take(1, sign) || left() < size) return false;
    const std::uint8_t* digits = at_;
    at_ += size;
    while (size > 0 && digits[size - 1] == 0) --size;
    const Word limbs = (size + 7) / 8;
    Term* object = heap_.allocate(limbs + 1);
    object[0] = make_header(sign != 0 ? Kind::kNegativeBig : Kind::kPositiveBig, limbs);
    for (Word i = 0; i < limbs; ++i) {
      Word limb = 0;
      for (Word byte = 8 * i; byte < 8 * i + 8 && byte < size; ++byte)
        limb |= Word{digits[byte]} << (8 * (byte - 8 * i));
      object[i + 1] = Term(limb);
    }
    *target = Term::boxed(object);
    const Word magnitude_max = Word{kSmallMax} + (sign != 0 ? 1 : 0);
    if (limbs <= 1 && (limbs == 0 || object[1].bits() <= magnitude_max)) {
      const auto magnitude = static_cast<std::int64_t>(limbs == 0 ? 0 : object[1].bits());
      *target = Term::small(sign != 0 ? -magnitude : magnitude);
      heap_.set_top(object);
    }
    return true;
  }

  bool make_float(Term* target, double value) {
    if (!std::isfinite(value)) return false;
    *target = heap_.floating(value);
    return true;
  }

  bool read_float_text(Term* target) {
    constexpr std::size_t kSize = 31;
    if (left() < kSize) return false;
    const char* first = reinterpret_cast<const char*>(at_);
    at_ += kSize;
    const char* last = first + strnlen(first, kSize);
    while (first != last && (*first == ' ' || *first == '\t')) ++first;
    if (first != last && *first == '+') ++first;
    double value = 0;
    const auto [stop, status] = std::from_chars(first, last, value);
    // A text without a point is an integer, not a float.
    return status == std::errc() &&
           std::memchr(first, '.', static_cast<std::size_t>(stop - first)) != nullptr &&
           make_float(target, value);
  }

  bool read_binary(Term* target) {
    std::uint64_t size;
    if (!take(4, size) || left() < size) return false;
    *target = make_binary(heap_, at_, size);
    at_ += size;
    return true;
  }

  bool read_bit_binary(Term* target) {
    std::uint64_t size;
    std::uint64_t last_bits;
    if (!take(4, size) || !take(1, last_bits) || left() < size) return false;
    if ((last_bits == 0) != (size == 0) || last_bits > 8) return false;
    if (size == 0 && installed_release().wants_whole_bytes) return false;
    const std::uint64_t bits = size == 0 ? 0 : (size - 1) * 8 + last_bits;
    *target = make_bytes(heap_, bits);
    copy_bits(bytes_of(*target), 0, at_, 0, bits);
    at_ += size;
    return true;
  }

  bool read_atom_text(Term* target, std::uint64_t tag) {
    const bool is_small = tag == kSmallAtomLatin1 || tag == kSmallAtomUtf8;
    std::uint64_t size;
    if (!take(is_small ? 1 : 2, size) || left() < size) return false;
    std::string_view text(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    std::string converted;
    if (tag == kAtomLatin1 || tag == kSmallAtomLatin1) {
      if (size > kAtomCharactersMax) return false;
      if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        converted = latin1_to_utf8(text);
        text = converted;
      }
    } else {
      const auto characters = count_utf8(text);
      if (!characters || *characters > kAtomCharactersMax) return false;
    }
    if (new_atoms_ != NewAtoms::kRefused) {
      *target = new_atoms_ == NewAtoms::kStatic ? names_.atoms.intern(text) : names_.atoms.make(text);
      return true;
    }
    const auto known = names_.atoms.find(text);
    if (known) *target = *known;
    return known.has_value();
  }

  bool read_atom(Term* target) {
    std::uint64_t tag;
    if (!take(1, tag)) return false;
    return (tag == kAtomLatin1 || tag == kSmallAtomLatin1 || tag == kAtomUtf8 || tag == kSmallAtomUtf8) &&
           read_atom_text(target, tag);
  }

  // An integer inside a fun, where only small ones are allowed.
  bool read_small(std::int64_t& value) {
    if (left() == 0 || (*at_ != kSmallInteger && *at_ != kInteger && *at_ != kSmallBig)) return false;
    Term term = Term::none();
    if (!read(&term) || !term.is_small()) return false;
    value = term.small_value();
    return true;
  }

  bool read_creation(std::uint64_t& creation, std::size_t size) {
    return take(size, creation) && (size != 1 || creation <= kTinyCreationMax);
  }
  static bool is_this_node(Term node, std::uint64_t creation) {
    return creation == 0 && node == atoms::kNoname;
  }

  void make_foreign(Term* target, Term type, Term node, std::uint64_t creation,
                    std::span<const std::uint64_t> numbers) {
    Term* object = heap_.allocate(4 + numbers.size());
    object[0] = make_header(Kind::kForeign, 3 + numbers.size());
    object[1] = type;
    object[2] = node;
    object[3] = Term::small(static_cast<std::int64_t>(creation));
    for (std::size_t i = 0; i < numbers.size(); ++i) object[4 + i] = heap_.unsigned_integer(numbers[i]);
    *target = Term::boxed(object);
  }

  bool read_pid(Term* target, std::size_t creation_size) {
    Term node = Term::none();
    std::uint64_t numbers[2];  // id, serial
    std::uint64_t creation;
    if (!read_atom(&node) || !take(4, numbers[0]) || !take(4, numbers[1]) ||
        !read_creation(creation, creation_size))
      return false;
    if (!is_this_node(node, creation)) {
      make_foreign(target, atoms::kPid, node, creation, numbers);
      return true;
    }
    const auto pid = process_with_number(names_, numbers[1] << kProcessIdBits | numbers[0]);
    if (pid) *target = *pid;
    return pid.has_value();
  }

  bool read_port(Term* target, std::size_t number_size, std::size_t creation_size) {
    Term node = Term::none();
    std::uint64_t number;
    std::uint64_t creation;
    if (!read_atom(&node) || !take(number_size, number) || !read_creation(creation, creation_size))
      return false;
    if (!is_this_node(node, creation)) {
      make_foreign(target, atoms::kPort, node, creation, std::span(&number, 1));
      return true;
    }
    if (number >> 58 != 0) return false;
    *target = Term::port(number);
    return true;
  }

  bool read_reference(Term* target, std::uint64_t tag) {
    Term node = Term::none();
    std::uint64_t count = 1;
    std::uint64_t creation = 0;
    std::uint64_t words[kReferenceWordsMax];
    if (tag != kReference && (!take(2, count) || count > kReferenceWordsMax)) return false;
    if (!read_atom(&node)) return false;
    // The oldest form has the creation after the number, the others before.
    if (tag == kReference) {
      if (!take(4, words[0]) || !read_creation(creation, 1)) return false;
    } else {
      if (!read_creation(creation, tag == kNewReference ? 1 : 4)) return false;
      for (std::uint64_t i = 0; i < count; ++i)
        if (!take(4, words[i])) return false;
    }
    if (!is_this_node(node, creation)) {
      make_foreign(target, atoms::kReference, node, creation, std::span(words, count));
      return true;
    }
    if (count != 3) return false;
    static_assert(kProcessNumberBits + Names::kReferenceIndexBits == 96);
    const std::uint64_t index = (words[1] & 0xF) << 32 | words[0];
    const auto creator = process_with_number(names_, words[2] << 28 | words[1] >> 4);
    if (creator) *target = Names::make_reference(*creator, index);
    return creator.has_value();
  }

  bool read_export(Term* target) {
    Term module = Term::none();
    Term function = Term::none();
    std::int64_t arity;
    if (!read_atom(&module) || !read_atom(&function) || !read_small(arity) || arity < 0) return false;
    Term* object = heap_.allocate(4);
    object[0] = make_header(Kind::kExternalFun, 3);
    object[1] = module;
    object[2] = function;
    object[3] = Term::small(arity);
    *target = Term::boxed(object);
    return true;
  }

  bool read_fun(Term* target) {
    std::uint64_t size;  // of the whole fun; known to be wrong in some writers
    std::uint64_t arity;
    std::uint64_t index;
    std::uint64_t free_count;
    std::uint8_t uniq[16];
    if (!take(4, size) || !take(1, arity) || left() < sizeof uniq) return false;
    std::memcpy(uniq, at_, sizeof uniq);
    at_ += sizeof uniq;
    Term module = Term::none();
    std::int64_t old_index;
    std::int64_t old_uniq;
    if (!take(4, index) || !take(4, free_count) || free_count > kFreeVariablesMax || !read_atom(&module) ||
        !read_small(old_index) || !read_small(old_uniq) || !expect(free_count + 1))
      return false;
    const std::uint32_t entry = names_.fun_entry(module, static_cast<std::uint32_t>(index), uniq);
    if (FunEntry& fun = names_.fun(entry); fun.code == 0 && fun.name.is_none()) {  // the module is not loaded
      fun.old_uniq = static_cast<std::uint32_t>(old_uniq);
      fun.arity = static_cast<std::uint32_t>(arity);
      fun.free_count = static_cast<std::uint32_t>(free_count);
    }
    Term* object = heap_.allocate(3 + free_count + 1);  // a word more, for the creator if not overwritten
    object[0] = make_header(Kind::kFun, 2 + free_count);
    object[1] = Term::small(entry);
    object[2] = Term::small(static_cast<std::int64_t>(arity));
    *target = Term::boxed(object);
    open(Container::kFun, free_count + 1, object + 3, object);
    return true;
  }

  Heap& heap_;
  Names& names_;
  const std::uint8_t* at_;
  const std::uint8_t* const end_;
  const NewAtoms new_atoms_;
  std::vector<Frame> frames_;
  std::size_t expected_ = 0;  // elements of open containers that have not been started
};

// What zlib's stream at the beginning of `input` holds, if that is exactly `size` bytes. Grows with what
// really comes out: the size is only a claim.
struct Inflated {
  std::vector<std::uint8_t> bytes;
  std::size_t consumed = 0;
  bool ok = false;
};

Inflated inflate_exactly(std::span<const std::uint8_t> input, std::size_t size) {
  Inflated result;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return result;
  // zlib counts with 32 bits; a larger input cannot belong to a size of 32 bits that it expands to.
  stream.next_in = const_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(input.size(), 0xFFFFFFFF));
  constexpr std::size_t kFirstBytes = 64 * 1024;
  int status = Z_OK;
  while (status == Z_OK && result.bytes.size() <= size) {
    const std::size_t done = result.bytes.size();
    // One byte more than promised shows a stream that is too long.
    result.bytes.resize(std::min(std::max(kFirstBytes, 2 * done), size + 1));
    stream.next_out = result.bytes.data() + done;
    stream.avail_out = static_cast<uInt>(result.bytes.size() - done);
    status = inflate(&stream, Z_NO_FLUSH);
    const bool is_stuck = stream.avail_out != 0 && status == Z_OK;
    result.bytes.resize(result.bytes.size() - stream.avail_out);
    if (is_stuck) break;
  }
  inflateEnd(&stream);
  result.consumed = input.size() - stream.avail_in;
  result.ok = status == Z_STREAM_END && result.bytes.size() == size;
  return result;
}

}  // namespace

Result<DecodedTerm> decode_external_prefix(Heap& heap, Names& names, std::span<const std::uint8_t> bytes,
                                           NewAtoms new_atoms) {
  if (bytes.empty() || bytes[0] != kVersion) return Error{"bytes in the external term format begin with 131"};
  const auto decode = [&](std::span<const std::uint8_t> from) -> Result<DecodedTerm> {
    Decoder decoder(heap, names, from, new_atoms);
    const Term term = decoder.decode();
    if (term.is_none()) {
      const auto at = decoder.position() - from.data();
      return Error{"bytes that are no term in the external format, near byte " + std::to_string(at)};
    }
    return DecodedTerm{.term = term, .size = static_cast<std::size_t>(decoder.position() - from.data())};
  };
  constexpr std::size_t kCompressedHeader = 6;
  if (bytes.size() < kCompressedHeader || bytes[1] != kCompressed) {
    auto decoded = decode(bytes.subspan(1));
    if (decoded) ++decoded->size;
    return decoded;
  }
  std::size_t size = 0;
  for (std::size_t i = 2; i < kCompressedHeader; ++i) size = size << 8 | bytes[i];
  const Inflated inflated = inflate_exactly(bytes.subspan(kCompressedHeader), size);
  if (!inflated.ok) return Error{"a compressed term whose stream is damaged"};
  auto decoded = decode(inflated.bytes);
  if (decoded) decoded->size = kCompressedHeader + inflated.consumed;
  return decoded;
}

}  // namespace ravel::erlang
