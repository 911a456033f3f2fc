// The native functions of OTP's module zlib.
//
// A stream is a reference to a term of the state (crypto_family.h): {zlib, Owner, Whether another had it,
// Steps, Digest, Buffer, Stash}, the steps being what was done to it since it was initialised, the last one
// first. Streams that are at work are kept by the digest of their steps: as long as an execution goes on,
// nothing is done twice; where a state is put back, the steps are.
//
// Only its owner may use a stream. As long as nobody else had it, that is local.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "erlang/beam/md5.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/crypto_family.h"
#include "erlang/bif/zlib_stream.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

using crypto::Bytes;

constexpr std::size_t kStreamsKept = 8;
constexpr std::int64_t kBufferAtFirst = 4000;

// Changes nothing but how long it takes.
struct KeptStream {
  Md5Digest digest;
  std::unique_ptr<ZlibStream> stream;
};
thread_local std::vector<KeptStream> kept_streams;

// The fields of the state of a stream.
struct Held {
  Term reference, owner, was_given, steps, digest, buffer, stash;
};

Term plain_error(Call& call, std::string_view what) {
  return call.raise(ErrorClass::kError, call.atom(what));
}

std::optional<Held> find(Call& call, Term reference) {
  if (!reference.is_reference()) {
    call.raise(ErrorClass::kError, atoms::kBadarg);
    return std::nullopt;
  }
  // The operation notes what it touches below, if that is to be known.
  const Term state = crypto::native_state(call, reference, access::kRead, crypto::Noting::kNo);
  if (!is_tuple_of(state, 7) || element(state, 1) != call.atom("zlib")) {
    call.raise(ErrorClass::kError, atoms::kBadarg);
    return std::nullopt;
  }
  Held held{.reference = reference,
            .owner = element(state, 2),
            .was_given = element(state, 3),
            .steps = element(state, 4),
            .digest = element(state, 5),
            .buffer = element(state, 6),
            .stash = element(state, 7)};
  if (held.owner != call.self().pid || held.was_given == atoms::kTrue)
    crypto::note_native_state(call, reference, access::kRead);
  if (held.owner != call.self().pid) {
    plain_error(call, "not_on_controlling_process");
    return std::nullopt;
  }
  return held;
}

void put(Call& call, const Held& held) {
  crypto::put_native_state(call, held.reference,
                           call.heap.tuple({call.atom("zlib"), held.owner, held.was_given, held.steps,
                                            held.digest, held.buffer, held.stash}));
}

bool is_initialised(const Held& held) { return held.steps.is_cons(); }

// ---- Steps as terms: {Kind, Numbers..., Bytes}

Term step_term(Call& call, const ZlibStep& step) {
  Term words[7] = {Term::small(static_cast<std::int64_t>(step.kind))};
  for (int i = 0; i < 5; ++i) words[1 + i] = Term::small(step.numbers[i]);
  words[6] = make_binary(call.heap, step.bytes.data(), step.bytes.size());
  return call.heap.tuple(words);
}

ZlibStep step_of(Term term) {
  ZlibStep step{.kind = static_cast<ZlibStep::Kind>(element(term, 1).small_value()),
                .bytes = *crypto::binary_bytes(element(term, 7))};
  for (int i = 0; i < 5; ++i)
    step.numbers[i] = static_cast<int>(element(term, static_cast<Word>(2 + i)).small_value());
  return step;
}

Md5Digest digest_of(Term binary) {
  Md5Digest digest;
  const Bytes bytes = *crypto::binary_bytes(binary);
  std::copy_n(bytes.begin(), digest.size(), digest.begin());
  return digest;
}

Md5Digest digest_after(const Md5Digest& before, const ZlibStep& step) {
  Bytes all(before.begin(), before.end());
  all.push_back(static_cast<std::uint8_t>(step.kind));
  for (const int number : step.numbers)
    for (int i = 0; i < 4; ++i)
      all.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(number) >> (8 * i)));
  all.insert(all.end(), step.bytes.begin(), step.bytes.end());
  return md5(all);
}

// The stream as it is: one that was kept, or made again.
std::unique_ptr<ZlibStream> take_stream(const Held& held) {
  const Md5Digest digest = digest_of(held.digest);
  const auto known = std::ranges::find(kept_streams, digest, &KeptStream::digest);
  if (known != kept_streams.end()) {
    auto stream = std::move(known->stream);
    kept_streams.erase(known);
    return stream;
  }
  std::vector<Term> steps;
  for (Term rest = held.steps; rest.is_cons(); rest = rest.tail()) steps.push_back(rest.head());
  auto stream = std::make_unique<ZlibStream>();
  for (std::size_t i = steps.size(); i-- > 0;) stream->apply(step_of(steps[i]));
  return stream;
}

void keep_stream(const Md5Digest& digest, std::unique_ptr<ZlibStream> stream) {
  if (kept_streams.size() == kStreamsKept) kept_streams.erase(kept_streams.begin());
  kept_streams.push_back({digest, std::move(stream)});
}

Term status_term(Call& call, int status) {
  switch (status) {
    case Z_OK: return atoms::kOk;
    case Z_DATA_ERROR: return plain_error(call, "data_error");
    case Z_BUF_ERROR: return plain_error(call, "buf_error");
    case Z_MEM_ERROR: return call.raise(ErrorClass::kError, atoms::kSystemLimit);
    case Z_VERSION_ERROR: return plain_error(call, "version_error");
    case Z_STREAM_ERROR: return plain_error(call, "stream_error");
    case Z_NEED_DICT: return plain_error(call, "need_dictionary");
    default: return plain_error(call, "unknown_error");
  }
}

// Does a step and notes it. `use` gets the stream after it, and says what the call returns.
template <class Use>
Term do_step(Call& call, Held held, const ZlibStep& step, Use use) {
  auto stream = take_stream(held);
  const int status = stream->apply(step);
  const Md5Digest digest = digest_after(digest_of(held.digest), step);
  held.steps = call.heap.cons(step_term(call, step), held.steps);
  held.digest = make_binary(call.heap, digest.data(), digest.size());
  put(call, held);
  const Term result = status != Z_OK ? status_term(call, status) : use(*stream);
  keep_stream(digest, std::move(stream));
  return result;
}

Term do_step(Call& call, const Held& held, const ZlibStep& step) {
  return do_step(call, held, step, [](ZlibStream&) { return atoms::kOk; });
}

enum class Wanted : std::uint8_t { kDeflate, kInflate };

// The stream, if it is at work in that direction.
std::optional<Held> find_working(Call& call, Term reference, std::optional<Wanted> wanted) {
  auto held = find(call, reference);
  if (!held) return std::nullopt;
  bool is_right = is_initialised(*held);
  if (is_right && wanted) {
    Term first = held->steps;
    while (first.tail().is_cons()) first = first.tail();
    const auto kind = static_cast<ZlibStep::Kind>(element(first.head(), 1).small_value());
    is_right = (kind == ZlibStep::Kind::kDeflateInit) == (*wanted == Wanted::kDeflate);
  }
  if (is_right) return held;
  plain_error(call, "not_initialized");
  return std::nullopt;
}

bool read_numbers(const Term* arguments, int count, int* numbers) {
  for (int i = 0; i < count; ++i) {
    if (!arguments[i].is_small()) return false;
    numbers[i] = static_cast<int>(arguments[i].small_value());
  }
  return true;
}

Term bad(Call& call) { return call.raise(ErrorClass::kError, atoms::kBadarg); }

void forget_steps(Call& call, Held& held) {
  const Md5Digest nothing{};
  held.steps = Term::nil();
  held.digest = make_binary(call.heap, nothing.data(), nothing.size());
}

// ---- The functions

Term open_nif_0(Call& call, const Term*) {
  Held held{.reference = Term::none(),
            .owner = call.self().pid,
            .was_given = atoms::kFalse,
            .steps = Term::nil(),
            .digest = Term::nil(),
            .buffer = Term::small(kBufferAtFirst),
            .stash = Term::nil()};
  forget_steps(call, held);
  return crypto::make_native_state(call, call.heap.tuple({call.atom("zlib"), held.owner, held.was_given,
                                                          held.steps, held.digest, held.buffer, held.stash}));
}

Term close_nif_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_reference()) return bad(call);
  const auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  if (held->buffer == Term::nil()) return plain_error(call, "not_initialized");
  Held closed = *held;
  forget_steps(call, closed);
  closed.buffer = Term::nil();
  closed.stash = Term::nil();
  put(call, closed);
  return atoms::kOk;
}

Term set_controller_nif_2(Call& call, const Term* arguments) {
  if (!arguments[1].is_pid()) return bad(call);
  auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  crypto::note_native_state(call, arguments[0], access::kWrite);
  held->owner = arguments[1];
  held->was_given = atoms::kTrue;
  put(call, *held);
  return atoms::kOk;
}

Term init(Call& call, const Term* arguments, ZlibStep::Kind kind, int numbers) {
  ZlibStep step{.kind = kind, .bytes = {}};
  if (!read_numbers(arguments + 1, numbers, step.numbers)) return bad(call);
  auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  if (held->buffer == Term::nil() || is_initialised(*held)) return plain_error(call, "already_initialized");
  ZlibStream trial;
  if (const int status = trial.apply(step); status != Z_OK) return status_term(call, status);
  return do_step(call, *held, step);
}

Term deflate_init_nif_6(Call& call, const Term* arguments) {
  return init(call, arguments, ZlibStep::Kind::kDeflateInit, 5);
}
Term inflate_init_nif_3(Call& call, const Term* arguments) {
  return init(call, arguments, ZlibStep::Kind::kInflateInit, 2);
}

Term set_dictionary(Call& call, const Term* arguments, Wanted wanted) {
  const auto bytes = crypto::iodata_bytes(arguments[1]);
  if (!bytes) return bad(call);
  const auto held = find_working(call, arguments[0], wanted);
  if (!held) return Term::none();
  return do_step(call, *held, {.kind = ZlibStep::Kind::kSetDictionary, .bytes = *bytes},
                 [&](ZlibStream& stream) {
                   if (wanted == Wanted::kInflate) return atoms::kOk;
                   const auto raw = adler32(0, bytes->data(), static_cast<uInt>(bytes->size()));
                   return Term::small(static_cast<std::int64_t>(stream.is_raw() ? raw : stream.adler()));
                 });
}

Term deflate_set_dictionary_nif_2(Call& call, const Term* arguments) {
  return set_dictionary(call, arguments, Wanted::kDeflate);
}
Term inflate_set_dictionary_nif_2(Call& call, const Term* arguments) {
  return set_dictionary(call, arguments, Wanted::kInflate);
}

Term inflate_get_dictionary_nif_1(Call& call, const Term* arguments) {
  const auto held = find_working(call, arguments[0], Wanted::kInflate);
  if (!held) return Term::none();
  auto stream = take_stream(*held);
  const Bytes dictionary = stream->dictionary();
  keep_stream(digest_of(held->digest), std::move(stream));
  return make_binary(call.heap, dictionary.data(), dictionary.size());
}

Term reset(Call& call, const Term* arguments, Wanted wanted) {
  const auto held = find_working(call, arguments[0], wanted);
  return held ? do_step(call, *held, {.kind = ZlibStep::Kind::kReset, .bytes = {}}) : Term::none();
}
Term deflate_reset_nif_1(Call& call, const Term* arguments) {
  return reset(call, arguments, Wanted::kDeflate);
}
Term inflate_reset_nif_1(Call& call, const Term* arguments) {
  return reset(call, arguments, Wanted::kInflate);
}

Term end(Call& call, const Term* arguments, Wanted wanted) {
  auto held = find_working(call, arguments[0], wanted);
  if (!held) return Term::none();
  const int status = take_stream(*held)->end_status();
  forget_steps(call, *held);
  put(call, *held);
  return status_term(call, status);
}
Term deflate_end_nif_1(Call& call, const Term* arguments) { return end(call, arguments, Wanted::kDeflate); }
Term inflate_end_nif_1(Call& call, const Term* arguments) { return end(call, arguments, Wanted::kInflate); }

Term deflate_params_nif_3(Call& call, const Term* arguments) {
  ZlibStep step{.kind = ZlibStep::Kind::kParameters, .bytes = {}};
  if (!read_numbers(arguments + 1, 2, step.numbers)) return bad(call);
  const auto held = find_working(call, arguments[0], Wanted::kDeflate);
  return held ? do_step(call, *held, step) : Term::none();
}

Term code(Call& call, const Term* arguments, Wanted wanted) {
  ZlibStep step{.kind = ZlibStep::Kind::kCode, .bytes = {}};
  if (!read_numbers(arguments + 1, 3, step.numbers)) return bad(call);
  const auto held = find_working(call, arguments[0], wanted);
  if (!held) return Term::none();
  return do_step(call, *held, step, [&](ZlibStream& stream) {
    Term output = Term::nil();
    if (!stream.output().empty())
      output = call.heap.cons(make_binary(call.heap, stream.output().data(), stream.output().size()), output);
    if (stream.progress() == ZlibStream::Progress::kNeedsDictionary)
      return call.heap.tuple({call.atom("need_dictionary"), Term::small(stream.adler()), output});
    return call.heap.tuple(
        {call.atom(stream.progress() == ZlibStream::Progress::kFinished ? "finished" : "continue"), output});
  });
}
Term deflate_nif_4(Call& call, const Term* arguments) { return code(call, arguments, Wanted::kDeflate); }
Term inflate_nif_4(Call& call, const Term* arguments) { return code(call, arguments, Wanted::kInflate); }

Term enqueue_nif_2(Call& call, const Term* arguments) {
  auto bytes = crypto::iodata_bytes(arguments[1]);
  if (!bytes) return bad(call);
  const auto held = find_working(call, arguments[0], std::nullopt);
  return held ? do_step(call, *held, {.kind = ZlibStep::Kind::kEnqueue, .bytes = std::move(*bytes)})
              : Term::none();
}

Term crc32_nif_1(Call& call, const Term* arguments) {
  const auto held = find_working(call, arguments[0], std::nullopt);
  if (!held) return Term::none();
  auto stream = take_stream(*held);
  const std::uint32_t checksum = stream->checksum();
  keep_stream(digest_of(held->digest), std::move(stream));
  return Term::small(checksum);
}

Term get_stash_nif_1(Call& call, const Term* arguments) {
  const auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  return held->stash.is_nil() ? call.atom("empty") : call.heap.tuple({atoms::kOk, held->stash.head()});
}

Term clear_stash_nif_1(Call& call, const Term* arguments) {
  auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  if (held->stash.is_nil()) return call.raise(ErrorClass::kError, atoms::kError);
  held->stash = Term::nil();
  put(call, *held);
  return atoms::kOk;
}

Term set_stash_nif_2(Call& call, const Term* arguments) {
  auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  if (!held->stash.is_nil()) return call.raise(ErrorClass::kError, atoms::kError);
  held->stash = call.heap.cons(arguments[1], Term::nil());
  put(call, *held);
  return atoms::kOk;
}

Term get_buf_size_nif_1(Call& call, const Term* arguments) {
  const auto held = find(call, arguments[0]);
  return held ? held->buffer : Term::none();
}

Term set_buf_size_nif_2(Call& call, const Term* arguments) {
  if (!arguments[1].is_small()) return bad(call);
  auto held = find(call, arguments[0]);
  if (!held) return Term::none();
  held->buffer = arguments[1];
  put(call, *held);
  return atoms::kOk;
}

constexpr auto kZlibBuiltins = std::to_array<Builtin>({
    {"zlib", "clearStash_nif", 1, Effect::kLocal, clear_stash_nif_1},
    {"zlib", "close_nif", 1, Effect::kLocal, close_nif_1},
    {"zlib", "crc32_nif", 1, Effect::kLocal, crc32_nif_1},
    {"zlib", "deflateEnd_nif", 1, Effect::kLocal, deflate_end_nif_1},
    {"zlib", "deflateInit_nif", 6, Effect::kLocal, deflate_init_nif_6},
    {"zlib", "deflateParams_nif", 3, Effect::kLocal, deflate_params_nif_3},
    {"zlib", "deflateReset_nif", 1, Effect::kLocal, deflate_reset_nif_1},
    {"zlib", "deflateSetDictionary_nif", 2, Effect::kLocal, deflate_set_dictionary_nif_2},
    {"zlib", "deflate_nif", 4, Effect::kLocal, deflate_nif_4},
    {"zlib", "enqueue_nif", 2, Effect::kLocal, enqueue_nif_2},
    {"zlib", "getBufSize_nif", 1, Effect::kLocal, get_buf_size_nif_1},
    {"zlib", "getStash_nif", 1, Effect::kLocal, get_stash_nif_1},
    {"zlib", "inflateEnd_nif", 1, Effect::kLocal, inflate_end_nif_1},
    {"zlib", "inflateGetDictionary_nif", 1, Effect::kLocal, inflate_get_dictionary_nif_1},
    {"zlib", "inflateInit_nif", 3, Effect::kLocal, inflate_init_nif_3},
    {"zlib", "inflateReset_nif", 1, Effect::kLocal, inflate_reset_nif_1},
    {"zlib", "inflateSetDictionary_nif", 2, Effect::kLocal, inflate_set_dictionary_nif_2},
    {"zlib", "inflate_nif", 4, Effect::kLocal, inflate_nif_4},
    {"zlib", "open_nif", 0, Effect::kLocal, open_nif_0},
    {"zlib", "setBufSize_nif", 2, Effect::kLocal, set_buf_size_nif_2},
    {"zlib", "setStash_nif", 2, Effect::kLocal, set_stash_nif_2},
    {"zlib", "set_controller_nif", 2, Effect::kOperation, set_controller_nif_2},
});
static_assert(std::ranges::is_sorted(kZlibBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> zlib_builtins() { return kZlibBuiltins; }

}  // namespace ravel::erlang
