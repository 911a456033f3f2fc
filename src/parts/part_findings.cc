#include "parts/part_findings.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "engine/bug_ledger.h"
#include "engine/position.h"
#include "engine/search_fields.h"

namespace ravel {

namespace {

template <class T>
void add_each(std::vector<T>& into, const std::vector<T>& others) {
  for (const T& other : others)
    if (std::ranges::find(into, other) == into.end()) into.push_back(other);
}

using Unreceived = UnreceivedMessagesOf<NamedStep>;

bool is_simpler(const Unreceived& one, const Unreceived& other) {
  if (one.is_complete != other.is_complete) return one.is_complete;
  return one.schedule.size() < other.schedule.size();
}

// The first one stays, if there is no better reason than simplicity.
bool is_better_later(const Unreceived& later, const Unreceived& before) {
  return later.is_complete && !before.is_complete;
}

template <class IsBetter>
void merge(PartFindings& into, const PartFindings& part, IsBetter is_better) {
  SearchResult& all = into.result;
  const SearchResult& result = part.result;
  const std::vector<Bound> bounds = all.counts.coverage.bounds;
  const bool is_complete = all.counts.coverage.is_complete && result.counts.coverage.is_complete;
  all.counts = sum(all.counts, result.counts);
  all.counts.coverage.is_complete = is_complete;
  add_each(all.counts.coverage.bounds, bounds);
  BugLedgerOf<NamedStep> ledger(std::move(all.bugs));
  ledger.merge(result.bugs);
  all.bugs = ledger.take();
  all.counts.bugs = all.bugs.size();
  if (result.unreceived) {
    if (!all.unreceived) {
      all.unreceived = result.unreceived;
    } else {
      const std::uint64_t executions = all.unreceived->executions + result.unreceived->executions;
      if (is_better(*result.unreceived, *all.unreceived)) all.unreceived = result.unreceived;
      all.unreceived->executions = executions;
    }
  }
  add_places(all.assumed, result.assumed);
  into.left_behind.add(part.left_behind);
  into.handled_ends.add(part.handled_ends);
  add_each(into.warnings, part.warnings);
  add_each(into.news, part.news);
}

// One encoding of engine/search_fields.h, for both directions: `Side` puts or gets numbers and bytes.
template <class Side>
class Fields {
 public:
  explicit Fields(Side& side) : side_(side) {}

  template <class T>
  void operator()(const char*, T& value) {
    pass(value);
  }
  template <class T>
  void later(const char*, T& value) {
    pass(value);
  }
  void bytes(const char*, typename Side::template Of<std::optional<std::string>>& text) { pass(text); }
  template <class... T>
  void row(T&... values) {
    (pass(values), ...);
  }
  template <class T>
  void passing(T& value) {
    pass(value);
  }

  template <class T>
  void pass(T& value) {
    using Value = std::remove_const_t<T>;
    if constexpr (std::is_enum_v<Value> || std::is_arithmetic_v<Value>) {
      side_.number(value);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      side_.text(value);
    } else if constexpr (std::is_same_v<Value, ActorName>) {
      side_.name(value);
    } else if constexpr (kIsOptional<Value>) {
      if (side_.has(value)) pass(*value);
    } else if constexpr (kIsVector<Value>) {
      side_.each(value, [this](auto& one) { pass(one); });
    } else {
      fields(*this, value);
    }
  }

 private:
  Side& side_;
};

class Writing {
 public:
  template <class T>
  using Of = const T;

  template <class T>
  void number(const T& value) {
    if constexpr (std::is_same_v<T, double>)
      writer_.put(std::bit_cast<std::uint64_t>(value));
    else
      writer_.put(static_cast<std::uint64_t>(value));
  }
  void text(const std::string& value) { writer_.put_position(value); }
  void name(const ActorName& value) { writer_.put_position(value.to_string()); }
  template <class T>
  bool has(const std::optional<T>& value) {
    writer_.put(value ? 1 : 0);
    return value.has_value();
  }
  template <class T, class PassOne>
  void each(const std::vector<T>& values, PassOne pass_one) {
    writer_.put_all(values, pass_one);
  }
  const std::string& bytes() const { return writer_.bytes(); }

 private:
  PositionWriter writer_;
};

class Reading {
 public:
  template <class T>
  using Of = T;

  explicit Reading(std::string_view bytes) : reader_(bytes) {}

  template <class T>
  void number(T& value) {
    const std::uint64_t number = reader_.get();
    if constexpr (std::is_same_v<T, double>) {
      value = std::bit_cast<double>(number);
    } else if constexpr (std::is_enum_v<T>) {
      is_wrong_ = is_wrong_ || number > static_cast<std::uint64_t>(last_of(T{}));
      if (!is_wrong_) value = static_cast<T>(number);
    } else {
      value = static_cast<T>(number);
    }
  }
  void text(std::string& value) { value = reader_.get_position(); }
  void name(ActorName& value) {
    auto name = ActorName::parse(reader_.get_position());
    is_wrong_ = is_wrong_ || !name;
    if (name) value = std::move(*name);
  }
  template <class T>
  bool has(std::optional<T>& value) {
    if (reader_.get() == 0) return false;
    value.emplace();
    return true;
  }
  template <class T, class PassOne>
  void each(std::vector<T>& values, PassOne pass_one) {
    values.clear();
    reader_.get_all([&] { pass_one(values.emplace_back()); });
  }
  bool is_right() const { return !is_wrong_ && reader_.is_complete(); }

 private:
  PositionReader reader_;
  bool is_wrong_ = false;
};

template <class F, FieldsOf<Remark> T>
void fields(F& f, T& v) {
  f.row(v.text, v.file, v.line);
}

template <class F, FieldsOf<Remarks> T>
void fields(F& f, T& v) {
  f("most", v.most), f("kinds", v.kinds);
}

template <class F, FieldsOf<PartFindings> T>
void fields(F& f, T& v) {
  f("result", v.result), f("warnings", v.warnings), f("left_behind", v.left_behind);
  f("handled_ends", v.handled_ends), f("news", v.news);
}

}  // namespace

void merge(PartFindings& into, const PartFindings& part) { merge(into, part, is_simpler); }

void append(PartFindings& into, PartFindings next) {
  SearchResult& result = next.result;
  for (NamedBug& bug : result.bugs) bug.first_execution += into.result.counts.executions;
  merge(into, next, is_better_later);
  into.result.promise = std::move(result.promise);
}

std::string print_findings(const PartFindings& findings) {
  Writing side;
  Fields(side).pass(findings);
  return side.bytes();
}

std::optional<PartFindings> parse_findings(std::string_view bytes) {
  Reading side(bytes);
  PartFindings findings;
  Fields(side).pass(findings);
  if (!side.is_right()) return std::nullopt;
  return findings;
}

}  // namespace ravel
