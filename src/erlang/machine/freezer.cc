// The image of a process:
//   {{Flags, Pc, AfterPc, ReceiveAt, Timeout, Due, Attributes, Exit, Argument...}, Stack, Mailbox}
// with code places as small integers. The others are few, and change less than stack and mailbox do. A word
// may be `none` where the field has none; no program sees an image.
#include "erlang/machine/freezer.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kFixedWords = 8;
constexpr Word kAttributesElement = 7;                          // of the others
constexpr Word kChildrenElement = 10, kReferencesElement = 11;  // of attributes

// Words of the others.
constexpr std::size_t kFlags = 0, kReceiveAt = 3, kTimeout = 4, kDue = 5;

constexpr std::uint64_t kRestBits = 7;
constexpr int kWakesOnMessage = 6, kHasNoticedBlock = 7;  // flags

struct Flags {
  std::uint64_t bits;
  static Flags of(const Process& p, bool has_frame) {
    return {static_cast<std::uint64_t>(p.rest) | std::uint64_t{p.started} << 3 |
            std::uint64_t{has_frame} << 4 | std::uint64_t{p.receive_pc != nullptr} << 5 |
            std::uint64_t{p.wakes_on_message} << kWakesOnMessage |
            std::uint64_t{p.has_noticed_block} << kHasNoticedBlock | std::uint64_t{p.ends_by_exception} << 8 |
            static_cast<std::uint64_t>(p.exit_class) << 9 | std::uint64_t{p.is_due} << 11};
  }
  bool bit(int n) const { return (bits >> n & 1) != 0; }
};

}  // namespace

std::uint64_t hash_but_for_counts(const ImageParts& parts) {
  std::uint64_t hash = 0;
  const Term others = parts.others;
  for (Word i = 1; i <= tuple_size(others); ++i)
    if (i != kAttributesElement) hash = combine(hash, Store::hash(element(others, i)));
  for (const Term part : {parts.stack, parts.mailbox}) hash = combine(hash, Store::hash(part));
  const Term attributes = element(others, kAttributesElement);
  for (Word i = 1; i <= tuple_size(attributes); ++i)
    if (i != kChildrenElement && i != kReferencesElement)
      hash = combine(hash, Store::hash(element(attributes, i)));
  return hash;
}

RestOfImage rest_of_image(Term others) {
  const Term* const words = others.object() + 1;
  const Flags flags{static_cast<std::uint64_t>(words[kFlags].small_value())};
  const auto rest = static_cast<Rest>(flags.bits & kRestBits);
  const bool is_choosing = rest == Rest::kChoosing;
  const bool may_go_on_by_time = !words[kTimeout].is_none() && words[kTimeout] != atoms::kInfinity;
  const bool is_plain = (rest == Rest::kReady || is_choosing || is_in_untimed_receive(rest)) &&
                        !may_go_on_by_time && !flags.bit(kWakesOnMessage) && !flags.bit(kHasNoticedBlock);
  return {.rest = rest,
          .receive_at = static_cast<std::size_t>(words[kReceiveAt].small_value()),
          .choices = is_choosing ? static_cast<std::uint32_t>(words[kFixedWords].small_value()) : 1,
          .is_plain = is_plain};
}

Term looking_image(Term others, std::size_t looked_at, Store& store) {
  std::vector<Term> words(others.object() + 1, others.object() + 1 + tuple_size(others));
  const auto flags = static_cast<std::uint64_t>(words[kFlags].small_value()) & ~kRestBits;
  words[kFlags] = Term::small(static_cast<std::int64_t>(flags | static_cast<std::uint64_t>(Rest::kWaiting)));
  words[kReceiveAt] = Term::small(static_cast<std::int64_t>(looked_at));
  words[kTimeout] = Term::none();
  words[kDue] = Term::small(0);
  return store.intern_object(Kind::kTuple, words);
}

bool is_same_but_for_look(Term one, Term other) {
  if (tuple_size(one) != tuple_size(other)) return false;
  for (std::size_t i = 0; i < tuple_size(one); ++i) {
    const Term a = one.object()[1 + i], b = other.object()[1 + i];
    if (a == b || i == kReceiveAt || i == kTimeout || i == kDue) continue;
    if (i != kFlags || ((a.small_value() ^ b.small_value()) & ~static_cast<std::int64_t>(kRestBits)) != 0)
      return false;
  }
  return true;
}

bool is_timeless(Term shared) { return tuple_size(element(shared, 2)) == 0 && element(shared, 9).is_nil(); }

void Process::grow_stack(std::size_t words) {
  const auto used = static_cast<std::size_t>(stack_end() - top);
  std::vector<Term> larger(std::max(stack.size() * 2, used + words + kInitialStackWords));
  std::copy(top, stack_end(), larger.data() + larger.size() - used);
  stack = std::move(larger);
  top = stack_end() - used;
}

Freezer::Freezer(Machine& its_machine)
    : MachinePart(its_machine), empty_tuple_(store.intern_object(Kind::kTuple, {})) {
  machine.code.literals().push_back(empty_tuple_);
}

Term Freezer::freeze_attributes(Process& process) {
  Attributes& a = process.attributes;
  std::vector<Term>& words = scratch_;
  const auto tuple_since = [&](std::size_t start) {
    if (words.size() == start) return empty_tuple_;
    const Term tuple = store.intern_object(Kind::kTuple, std::span(words).subspan(start));
    words.resize(start);
    return tuple;
  };
  // What stays awake must refer to the stored terms, too: the nursery is emptied afterwards.
  for (Term* term : {&a.group_leader, &a.initial_call, &a.dictionary, &a.priority, &a.label, &a.other_flags})
    *term = store.intern(*term);
  for (Monitor& m : a.monitors) {
    m.object = store.intern(m.object);
    m.tag = store.intern(m.tag);
  }
  for (Watcher& w : a.watchers) {
    w.object = store.intern(w.object);
    w.tag = store.intern(w.tag);
  }
  words.clear();
  for (const Term link : a.links) words.push_back(link);
  const Term links = tuple_since(0);
  for (const Monitor& m : a.monitors)
    words.insert(words.end(), {m.reference, m.target, m.object, m.tag,
                               Term::small(static_cast<std::int64_t>(m.alias) << 1 |
                                           static_cast<std::int64_t>(m.urgency))});
  const Term monitors = tuple_since(0);
  for (const Watcher& w : a.watchers)
    words.insert(words.end(),
                 {w.reference, w.pid, w.object, w.tag,
                  Term::small((w.drops_alias ? 1 : 0) | static_cast<std::int64_t>(w.urgency) << 1 |
                              static_cast<std::int64_t>(w.taken_back) << 2)});
  const Term watchers = tuple_since(0);
  for (const FormerLink& link : a.former_links)
    words.insert(words.end(), {link.pid, Term::small(static_cast<std::int64_t>(link.how) << 1 |
                                                     static_cast<std::int64_t>(link.urgency))});
  const Term former_links = tuple_since(0);
  for (const Alias& alias : a.aliases)
    words.insert(words.end(), {alias.reference, Term::small(static_cast<std::int64_t>(alias.mode) << 1 |
                                                            static_cast<std::int64_t>(alias.urgency))});
  const Term aliases = tuple_since(0);
  words.assign(a.priority_links.begin(), a.priority_links.end());
  const Term priority_links = tuple_since(0);
  words.insert(words.end(),
               {a.registered_name, a.group_leader, a.initial_call, a.parent, a.dictionary, a.priority,
                a.label, a.other_flags, atoms::boolean(a.trap_exit), Term::small(a.children),
                Term::small(static_cast<std::int64_t>(a.references_made)), links, monitors, watchers, aliases,
                former_links, priority_links, Term::small(a.fun_group)});
  return tuple_since(0);
}

void Freezer::thaw_attributes(Process& process, Term image) {
  const Term* w = image.object() + 1;
  Attributes& a = process.attributes;
  a.registered_name = w[0];
  a.group_leader = w[1];
  a.initial_call = w[2];
  a.parent = w[3];
  a.dictionary = w[4];
  a.priority = w[5];
  a.label = w[6];
  a.other_flags = w[7];
  a.trap_exit = w[8] == atoms::kTrue;
  a.children = static_cast<std::uint32_t>(w[9].small_value());
  a.references_made = static_cast<std::uint64_t>(w[10].small_value());
  a.links.assign(w[11].object() + 1, w[11].object() + 1 + tuple_size(w[11]));
  a.monitors.clear();
  for (Word i = 1; i <= tuple_size(w[12]); i += 5) {
    const Term* m = w[12].object() + i;
    const std::int64_t bits = m[4].small_value();
    a.monitors.push_back(
        {m[0], m[1], m[2], m[3], static_cast<AliasMode>(bits >> 1), static_cast<Urgency>(bits & 1)});
  }
  a.watchers.clear();
  for (Word i = 1; i <= tuple_size(w[13]); i += 5) {
    const Term* m = w[13].object() + i;
    const std::int64_t flags = m[4].small_value();
    a.watchers.push_back({m[0], m[1], m[2], m[3], (flags & 1) != 0, static_cast<Urgency>(flags >> 1 & 1),
                          static_cast<TakenBack>(flags >> 2)});
  }
  a.aliases.clear();
  for (Word i = 1; i <= tuple_size(w[14]); i += 2) {
    const Term* m = w[14].object() + i;
    const std::int64_t bits = m[1].small_value();
    a.aliases.push_back({m[0], static_cast<AliasMode>(bits >> 1), static_cast<Urgency>(bits & 1)});
  }
  a.former_links.clear();
  for (Word i = 1; i <= tuple_size(w[15]); i += 2) {
    const std::int64_t bits = element(w[15], i + 1).small_value();
    a.former_links.push_back(
        {element(w[15], i), static_cast<FormerLink::Gone>(bits >> 1), static_cast<Urgency>(bits & 1)});
  }
  a.priority_links.assign(w[16].object() + 1, w[16].object() + 1 + tuple_size(w[16]));
  a.fun_group = static_cast<std::uint32_t>(w[17].small_value());
}

// All frames that are on the stack, as a chain of stored frames; `resume` is where the top one goes on.
Term Freezer::freeze_stack(Process& process, const CodeWord* resume) {
  frames_.clear();
  const Term* end = process.stack_end();
  const CodeWord* bottom = process.cp;
  for (Term* frame = process.top; frame < end; frame += frame_slots(*frame) + 1) {
    frames_.push_back(frame);
    bottom = frame_caller(*frame);
  }
  Term chain = process.frozen_stack;
  const auto place = [&](const CodeWord* code) { return Term::small(machine.code.area().index_of(code)); };
  if (bottom != nullptr && bottom != machine.code.own().underflow)
    chain = store.intern_frame(place(bottom), chain, {});
  for (std::size_t i = frames_.size(); i-- > 0;) {
    const CodeWord* goes_on = i == 0 ? resume : frame_caller(*frames_[i - 1]);
    chain =
        store.intern_frame(place(goes_on), chain, std::span<Term>(frames_[i] + 1, frame_slots(*frames_[i])));
  }
  return chain;
}

ImageParts Freezer::parts_of(Term image) const {
  if (image.is_small()) return images_->parts_of(image);
  return {.others = element(image, 1), .stack = element(image, 2), .mailbox = element(image, 3)};
}

Term Freezer::image_of(const ImageParts& parts) {
  return images_ != nullptr
             ? images_->image_of(parts)
             : store.intern_object(Kind::kTuple, std::array{parts.others, parts.stack, parts.mailbox});
}

void Freezer::use_images(ImageTable* images) {
  std::vector<ImageParts> parts;
  for (std::size_t i = 1; i < system_words_.size(); i += 2) parts.push_back(parts_of(system_words_[i]));
  // Images in the old table mean nothing any more.
  for (Process* process : machine.processes.all()) {
    if (process->image.is_none()) continue;
    const ImageParts same = parts_of(process->image);
    std::swap(images_, images);
    process->image = image_of(same);
    std::swap(images_, images);
  }
  images_ = images;
  for (std::size_t i = 1; i < system_words_.size(); i += 2) system_words_[i] = image_of(parts[i / 2]);
  machine.processes.forget_spare_images();
  machine.free_names.forget_images();
}

void Freezer::freeze(Process& process) {
  if (process.attributes_image.is_none()) process.attributes_image = freeze_attributes(process);
  if (process.mailbox_image.is_none() && process.mailbox.empty()) process.mailbox_image = empty_tuple_;
  if (process.mailbox_image.is_none()) {
    scratch_.clear();
    for (Message& message : process.mailbox) {
      message.content = store.intern(message.content);
      message.sender = store.intern(message.sender);
      scratch_.insert(scratch_.end(), {message.content, message.sender});
    }
    if (const std::size_t count = process.mailbox.priority_count(); count > 0)
      scratch_.push_back(Term::small(static_cast<std::int64_t>(count)));
    process.mailbox_image = store.intern_object(Kind::kTuple, scratch_);
  }
  if (!process.is_top_frozen) {
    const bool has_frame = process.cp == nullptr && process.top < process.stack_end();
    process.frozen_stack = freeze_stack(process, has_frame ? process.pc : process.cp);
    process.has_frozen_frame = has_frame;
    process.is_top_frozen = true;
    process.reset_stack();
    process.cp = nullptr;
  }
  for (Term& argument : process.arguments) argument = store.intern(argument);
  process.timeout = process.timeout.is_none() ? Term::none() : store.intern(process.timeout);
  Term exit = Term::nil();
  if (process.rest == Rest::kEnding || process.rest == Rest::kEnded) {
    process.exit_reason = store.intern(process.exit_reason);
    process.exit_trace = store.intern(process.exit_trace);
    exit = store.intern_object(Kind::kTuple,
                               std::array{process.exit_reason, process.exit_origin, process.exit_trace});
  }
  const auto place = [&](const CodeWord* code) {
    return Term::small(code == nullptr ? 0 : machine.code.area().index_of(code));
  };
  scratch_.clear();
  scratch_.insert(
      scratch_.end(),
      {Term::small(static_cast<std::int64_t>(Flags::of(process, process.has_frozen_frame).bits)),
       place(process.pc), place(process.rest == Rest::kTimeout ? process.after_pc : nullptr),
       Term::small(static_cast<std::int64_t>(process.receive_at)), process.timeout,
       Term::small(process.timeout.is_none() ? 0 : process.due_ms), process.attributes_image, exit});
  scratch_.insert(scratch_.end(), process.arguments.begin(), process.arguments.end());
  const Term others = store.intern_object(Kind::kTuple, scratch_);
  process.image =
      image_of({.others = others, .stack = process.frozen_stack, .mailbox = process.mailbox_image});
}

void Freezer::thaw(Process& process, Term image) {
  const auto [others, stack, mailbox] = parts_of(image);
  const Term* w = others.object() + 1;
  const Flags flags{static_cast<std::uint64_t>(w[kFlags].small_value())};
  const auto place = [&](Term index) -> const CodeWord* {
    return index.small_value() == 0 ? nullptr
                                    : machine.code.area().at(static_cast<std::uint32_t>(index.small_value()));
  };
  process.rest = static_cast<Rest>(flags.bits & kRestBits);
  process.started = flags.bit(3);
  process.has_frozen_frame = flags.bit(4);
  process.pc = place(w[1]);
  process.receive_pc = flags.bit(5) ? process.pc : nullptr;
  process.wakes_on_message = flags.bit(kWakesOnMessage);
  process.has_noticed_block = flags.bit(kHasNoticedBlock);
  process.ends_by_exception = flags.bit(8);
  process.exit_class = static_cast<ErrorClass>(flags.bits >> 9 & 3);
  process.is_due = flags.bit(11);
  process.after_pc = place(w[2]);
  process.receive_at = static_cast<std::size_t>(w[kReceiveAt].small_value());
  process.timeout = w[kTimeout];
  process.due_ms = w[kDue].small_value();
  process.frozen_stack = stack;
  process.cp = nullptr;
  process.is_top_frozen = true;
  process.reset_stack();
  if (process.mailbox_image != mailbox) {
    process.mailbox_image = mailbox;
    process.mailbox.clear();
    const Word size = tuple_size(mailbox);
    const Word priority = size % 2 == 0 ? 0 : static_cast<Word>(element(mailbox, size).small_value());
    for (Word i = 1; i + 1 <= size; i += 2)
      process.mailbox.add({element(mailbox, i), element(mailbox, i + 1)},
                          i < 2 * priority ? Urgency::kPriority : Urgency::kOrdinary);
  }
  if (process.attributes_image != w[6]) {
    process.attributes_image = w[6];
    thaw_attributes(process, w[6]);
  }
  process.exit_reason = process.exit_origin = Term::none();
  process.exit_trace = Term::nil();
  if (const Term exit = w[7]; is_tuple(exit)) {
    process.exit_reason = element(exit, 1);
    process.exit_origin = element(exit, 2);
    process.exit_trace = element(exit, 3);
  }
  process.arguments.assign(w + kFixedWords, w + tuple_size(others));
  process.image = image;
}

const CodeWord* Freezer::thaw_frame(Process& process) {
  const Term frozen = process.frozen_stack;
  const Term* w = frozen.object() + 1;
  const std::size_t slots = size_of(frozen.header()) - 2;
  if (static_cast<std::size_t>(process.top - process.stack.data()) < slots + 65)
    process.grow_stack(slots + 65);
  process.top -= slots + 1;
  process.top[0] = frame_header(machine.code.own().underflow, slots);
  std::copy_n(w + 2, slots, process.top + 1);
  if (Store::has_match_context(frozen)) {
    // Contexts are mutable: each gets a young copy, one for all slots that hold it.
    for (std::size_t i = 1; i <= slots; ++i) {
      const Term slot = process.top[i];
      if (!is_kind(slot, Kind::kMatchContext) || heap.is_young(slot)) continue;
      Term* copy = heap.allocate(5);
      std::copy_n(slot.object(), 5, copy);
      std::replace(process.top + i, process.top + 1 + slots, slot, Term::boxed(copy));
    }
  }
  process.frozen_stack = w[1];
  return machine.code.area().at(static_cast<std::uint32_t>(w[0].small_value()));
}

void Freezer::wake(Process& process) {
  process.touch();
  if (!process.is_top_frozen) return;
  process.is_top_frozen = false;
  process.cp = machine.code.own().underflow;
  if (!process.has_frozen_frame) return;
  thaw_frame(process);
  process.cp = nullptr;
}

// Between two images atoms are only added, so their number tells.
bool Freezer::has_shared_changed() const {
  return shared_image_.is_none() ||
         tuple_size(element(shared_image_, 5)) != names.atoms.run_time_atoms().size();
}

Term Freezer::freeze_shared() {
  if (!has_shared_changed()) return shared_image_;
  const Term registry = machine.registry.freeze(scratch_);
  const Term timers = machine.time.freeze_timers(scratch_);
  const Term channels = machine.channels.freeze(scratch_);
  const Term output = machine.device.freeze();
  SharedTerms& shared = machine.change_shared_terms();
  shared.for_each_term([&](Term& term) { term = store.intern(term); });
  const Term atoms = store.intern_object(Kind::kTuple, names.atoms.run_time_atoms());
  shared_image_ = store.intern_object(
      Kind::kTuple,
      std::array{registry, timers, output, Term::small(static_cast<std::int64_t>(shared.unique_integers)),
                 atoms, shared.persistent, shared.arrays, machine.time.freeze_now(), channels, shared.files,
                 shared.open_files, shared.monitors_taken_back, shared.trapping_ends, shared.lasting_aliases,
                 shared.environment, shared.code, shared.probes, shared.property_states,
                 Term::small(static_cast<std::int64_t>(shared.mishaps_left))});
  return shared_image_;
}

void Freezer::thaw_shared(Term image) {
  if (image == shared_image_ && !has_shared_changed()) return;
  machine.registry.thaw(element(image, 1));
  machine.time.thaw(element(image, 2), element(image, 8));
  machine.device.thaw(element(image, 3));
  machine.change_shared_terms() = {
      .persistent = element(image, 6),
      .arrays = element(image, 7),
      .files = element(image, 10),
      .open_files = element(image, 11),
      .monitors_taken_back = element(image, 12),
      .trapping_ends = element(image, 13),
      .lasting_aliases = element(image, 14),
      .environment = element(image, 15),
      .code = element(image, 16),
      .probes = element(image, 17),
      .property_states = element(image, 18),
      .unique_integers = static_cast<std::uint64_t>(element(image, 4).small_value()),
      .mishaps_left = static_cast<std::uint64_t>(element(image, 19).small_value())};
  machine.run_time_code.apply();
  machine.channels.thaw(element(image, 9));
  const Term atoms = element(image, 5);
  names.atoms.set_run_time_atoms({atoms.object() + 1, static_cast<std::size_t>(tuple_size(atoms))});
  shared_image_ = image;
}

// A state is what no process owns and the tables, then pid and image of each process. Those of Erlang/OTP's
// system, which come last, are there only if one of them is not as it was when the system was started; then a
// final [] says so.
void Freezer::save(std::vector<Term>& words) {
  CHECK(machine.processes.unsettled().empty());
  words.push_back(freeze_shared());
  words.push_back(machine.tables.freeze(store));
  std::size_t system_begin = words.size();
  for (Process* process : machine.processes.changed()) {
    if (process->image.is_none()) freeze(*process);
    words.push_back(process->pid);
    words.push_back(process->image);
    if (!names.is_below_system(process->pid)) system_begin = words.size();
  }
  if (machine.processes.has_system_changed()) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(system_begin);
    if (std::equal(begin, words.end(), system_words_.begin(), system_words_.end())) {
      words.erase(begin, words.end());
      machine.processes.set_system_changed(false);
    } else {
      words.push_back(Term::nil());
    }
  }
  empty_nursery();
}

void Freezer::store_state() {
  CHECK(machine.processes.unsettled().empty());
  freeze_shared();
  machine.tables.freeze(store);
  for (Process* process : machine.processes.changed())
    if (process->image.is_none()) freeze(*process);
  empty_nursery();
}

// REQUIRES: all that is part of the state has been stored.
void Freezer::empty_nursery() {
  record.event = {};
  for (Term& content : record.sent_contents) content = store.intern(content);
  for (TableTouch& touch : record.table_touches)
    touch.for_each_term([&](Term& term) { term = store.intern(term); });
  for (Term& label : record.labels) label = store.intern(label);
  machine.told_explorer.store_terms();
  heap.reset();
}

void Freezer::restore(std::span<const Term> words) {
  CHECK(words.size() >= kWordsBeforeImages);
  ProcessTable& processes = machine.processes;
  processes.clear_unsettled();
  machine.faults.clear();
  record.event = {};
  record.footprint.clear();
  record.sent_contents.clear();
  record.table_touches.clear();
  record.labels.clear();
  machine.told_explorer.forget();
  thaw_shared(words[0]);
  machine.tables.thaw(words[1]);
  const bool has_system = words.size() % 2 == 1;
  const std::size_t resting = has_system ? 0 : processes.resting_count();  // they stay as they are
  const auto images =
      words.subspan(kWordsBeforeImages, words.size() - kWordsBeforeImages - (has_system ? 1 : 0));
  const std::span<const Term> both[] = {images, system_words_};
  processes.restore(std::span(both).first(!has_system && resting == 0 ? 2 : 1), resting);
  processes.set_system_changed(has_system);
  heap.reset();
}

void Freezer::note_system(std::span<const Term> words) {
  system_words_.assign(words.begin() + kWordsBeforeImages, words.end() - 1);
  machine.processes.note_system(system_words_.size() / 2);
}

namespace {

// The roots of the store: what the machine holds, then what its user has saved.
class StoreRoots final : public Roots {
 public:
  StoreRoots(std::span<const std::span<Term>> own, Roots& saved) : own_(own), saved_(saved) {}
  void for_each(Visit visit, void* collector) override {
    for (const std::span<Term> words : own_) visit(collector, words.data(), words.size());
    saved_.for_each(visit, collector);
  }

 private:
  std::span<const std::span<Term>> own_;
  Roots& saved_;
};

}  // namespace

void Freezer::collect_store_if_due(std::span<Term> at_start, Roots& saved) {
  if (!store.wants_collection()) return;
  std::vector<Term> now;
  save(now);
  for (TableTouch& touch : record.table_touches)
    touch.for_each_term([&](Term term) {
      if (!term.is_none()) now.push_back(term);
    });
  now.insert(now.end(), record.labels.begin(), record.labels.end());
  const std::span<const Term> told = machine.told_explorer.messages();
  now.insert(now.end(), told.begin(), told.end());
  const std::span<Term> own[] = {machine.code.literals(), now, system_words_, at_start};
  StoreRoots roots(own, saved);
  store.collect(roots);
  // What no saved state or running process holds is gone; so are the images of spare processes.
  machine.processes.forget_spare_images();
  machine.free_names.forget_images();
}

}  // namespace ravel::erlang
