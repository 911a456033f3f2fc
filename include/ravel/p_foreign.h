/* Foreign functions and types of a program in P, in C++ or C: 'ravel check FILE.p --foreign ./mine.so'.
 *
 * The program in P declares them:
 *
 *   type tQueue;
 *   fun Push(queue: tQueue, element: int): tQueue;
 *   fun Smallest(queue: tQueue): int;
 *
 * The library has them:
 *
 *   #include <ravel/p_foreign.h>
 *   #include <algorithm>
 *
 *   struct Queue {
 *     std::vector<int64_t> elements;
 *     RAVEL_P_TYPE(tQueue, elements)
 *   };
 *   Queue Push(Queue queue, int64_t element) {
 *     queue.elements.push_back(element);
 *     return queue;
 *   }
 *   int64_t Smallest(const Queue& queue) {
 *     ravel::p::check(!queue.elements.empty(), "the queue is empty");
 *     return *std::min_element(queue.elements.begin(), queue.elements.end());
 *   }
 *   RAVEL_P_FUNCTION(Push)
 *   RAVEL_P_FUNCTION(Smallest)
 *
 *   c++ -std=c++17 -O2 -shared -fPIC mine.cc -o mine.so
 *
 * A function is called again and again, and its calls are undone: a search goes back to earlier states. So
 * what it returns depends on its arguments alone (and on what choose() gives): no rand(), no clock, no
 * variable that outlives the call. A call is sometimes made twice, to see whether both give the same.
 *
 * A value of a foreign type is, for the search, what the class makes of itself: the tuple of the fields that
 * RAVEL_P_TYPE names. That tuple is kept, compared and shown. So two objects that mean the same must have
 * equal fields.
 *
 * Types of P in C++:
 *
 *   bool                  bool
 *   int, an enum          int64_t, or another type of integers or enum, into which the number has to fit
 *   float                 double
 *   string                std::string
 *   seq[T]                std::vector<T>
 *   set[T]                std::set<T>
 *   map[K, V]             std::map<K, V>
 *   (T, U)                std::tuple<T, U>, std::pair<T, U>
 *   (a: T, b: U)          a struct { T a; U b; RAVEL_P_FIELDS(a, b) };
 *   a foreign type        a struct with RAVEL_P_TYPE
 *   event                 ravel::p::Event
 *   machine, an interface ravel::p::Machine
 *   any, data             ravel::p::Value, which stands for every type
 *
 * A parameter is taken by value or by const reference. std::optional<T> of the last four lines may be null. A
 * variable of a foreign type that the program has not set is null.
 *
 * Nothing has to be linked. <ravel/p_foreign_abi.h> alone is enough for C and for other languages.
 */

#ifndef RAVEL_P_FOREIGN_H_
#define RAVEL_P_FOREIGN_H_

#include <ravel/p_foreign_abi.h>

#ifdef __cplusplus

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#if __cplusplus < 201703L
#error "<ravel/p_foreign.h> needs C++17 (-std=c++17)"
#endif

namespace ravel {
namespace p {

namespace detail {

/* Not shared with other libraries. */
#define RAVEL_P_OWN __attribute__((visibility("hidden")))

RAVEL_P_OWN inline ravel_p_call*& call() {
  static ravel_p_call* now = nullptr;
  return now;
}

/* A call has ended in the middle: an assertion, or a choice without an answer. */
struct Ended {};

} /* namespace detail */

class Value;

/* How a C++ type T is a type of P:
 *   static std::string type();    in P's words
 *   static T from(Value);         throws WrongType
 *   static Value to(const T&);
 * A foreign type whose class is made of other things than its fields specialises it: name, from() and to()
 * then are all that is needed (see Foreign below). */
template <class T, class = void>
struct Convert;

/* A value is not of the type that was asked for. */
struct WrongType : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/* Any value, until the call ends. */
class Value {
 public:
  Value() = default; /* null */
  explicit Value(ravel_p_value value) : value_(value) {}

  ravel_p_value handle() const { return value_; }
  ravel_p_kind kind() const { return host().kind(&host(), value_); }
  bool is_null() const { return kind() == RAVEL_P_NULL; }
  template <class T>
  T as() const {
    return Convert<T>::from(*this);
  }
  /* As P's format() writes it. */
  std::string text() const {
    size_t length = 0;
    const char* const bytes = host().text(&host(), value_, &length);
    return std::string(bytes, length);
  }

  /* Of tuples, seqs, sets and maps; a map has keys at its places. */
  size_t size() const {
    const ravel_p_kind own = kind();
    if (own < RAVEL_P_TUPLE || own > RAVEL_P_MAP) fail("a tuple or collection");
    return host().size(&host(), value_);
  }
  Value operator[](size_t place) const { return Value(host().part(&host(), value_, checked(place))); }
  /* Of maps. */
  Value mapped(size_t place) const {
    if (kind() != RAVEL_P_MAP) fail("a map");
    return Value(host().mapped(&host(), value_, checked(place)));
  }
  /* Of tuples with names. */
  std::string field_name(size_t place) const {
    if (kind() != RAVEL_P_NAMED_TUPLE) fail("a tuple with names");
    return host().field(&host(), value_, checked(place));
  }
  Value field(const std::string& name) const {
    if (kind() == RAVEL_P_NAMED_TUPLE)
      for (size_t i = 0; i < size(); ++i)
        if (field_name(i) == name) return (*this)[i];
    fail("a tuple with the field " + name);
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw WrongType(expected + " was expected, and this is " + (is_null() ? "null" : text()));
  }

  friend bool operator==(const Value& a, const Value& b) { return a.value_ == b.value_; }
  friend bool operator!=(const Value& a, const Value& b) { return a.value_ != b.value_; }
  friend bool operator<(const Value& a, const Value& b) {
    return host().compare(&host(), a.value_, b.value_) < 0;
  }

  static ravel_p_call& host() { return *detail::call(); }

 private:
  size_t checked(size_t place) const {
    if (place >= size())
      throw std::out_of_range("place " + std::to_string(place) + " of a value with " +
                              std::to_string(size()));
    return place;
  }

  ravel_p_value value_ = RAVEL_P_NULL_VALUE;
};

/* The value in P of a C++ one. */
template <class T>
Value value(const T& of) {
  return Convert<T>::to(of);
}

/* An event. It is made by its name, and carries nothing. */
class Event {
 public:
  Event() = default; /* null */
  explicit Event(Value value) : value_(value) {}
  explicit Event(const char* name) : value_(Value::host().make_event(&Value::host(), name)) {
    if (value_.is_null()) throw std::invalid_argument(std::string("the program has no event ") + name);
  }
  Value value() const { return value_; }
  std::string name() const { return value_.text(); }
  friend bool operator==(const Event& a, const Event& b) { return a.value_ == b.value_; }
  friend bool operator!=(const Event& a, const Event& b) { return a.value_ != b.value_; }
  friend bool operator<(const Event& a, const Event& b) { return a.value_ < b.value_; }

 private:
  Value value_;
};

/* A reference to a machine. */
class Machine {
 public:
  Machine() = default; /* null */
  explicit Machine(Value value) : value_(value) {}
  Value value() const { return value_; }
  /* As in stories: Client(P.1) */
  std::string name() const { return value_.text(); }
  friend bool operator==(const Machine& a, const Machine& b) { return a.value_ == b.value_; }
  friend bool operator!=(const Machine& a, const Machine& b) { return a.value_ != b.value_; }
  friend bool operator<(const Machine& a, const Machine& b) { return a.value_ < b.value_; }

 private:
  Value value_;
};

/* ---- What a function may do besides returning */

/* A violated assertion of the program, at the place of the call. */
[[noreturn]] inline void fail(const std::string& message) {
  Value::host().fail(&Value::host(), message.data(), message.size());
  throw detail::Ended();
}
inline void check(bool holds, const std::string& message) {
  if (!holds) fail(message);
}
/* A line that the program prints. */
inline void log(const std::string& text) { Value::host().log(&Value::host(), text.data(), text.size()); }
/* One of 0 .. count - 1; the search tries all. The function is called again for each, so what stands before
 * must be cheap, and the same each time. Not in specs. */
inline int64_t choose(int64_t count) {
  int64_t chosen = 0;
  if (Value::host().choose(&Value::host(), count, &chosen) == 0) throw detail::Ended();
  return chosen;
}

/* ---- Conversions */

namespace detail {

inline Value made_seq(const std::vector<ravel_p_value>& all) {
  return Value(Value::host().make_seq(&Value::host(), all.data(), all.size()));
}
inline Value made_tuple(const std::vector<ravel_p_value>& all) {
  return Value(Value::host().make_tuple(&Value::host(), all.data(), all.size()));
}

inline void expect(Value value, ravel_p_kind kind, const std::string& expected) {
  if (value.kind() != kind) value.fail(expected);
}
inline void expect_size(Value value, size_t size) {
  if (value.size() != size) value.fail("a tuple of " + std::to_string(size));
}

/* "a, b" */
inline std::vector<std::string> split_names(const char* text) {
  std::vector<std::string> names(1);
  for (; *text != 0; ++text) {
    if (*text == ',')
      names.emplace_back();
    else if (*text != ' ')
      names.back() += *text;
  }
  if (names.size() == 1 && names[0].empty()) names.clear();
  return names;
}

template <class... T>
std::vector<ravel_p_value> handles(const std::tuple<T...>& parts) {
  return std::apply(
      [](const auto&... part) {
        return std::vector<ravel_p_value>{value<std::decay_t<decltype(part)>>(part).handle()...};
      },
      parts);
}
template <class... T>
void take_parts(Value from, std::tuple<T&...> parts) {
  expect_size(from, sizeof...(T));
  size_t place = 0;
  std::apply(
      [&](auto&... part) { ((part = from[place++].template as<std::decay_t<decltype(part)>>()), ...); },
      parts);
}

template <class T>
std::string type_of() {
  return Convert<std::decay_t<T>>::type();
}
template <class... T>
std::string types_of(std::tuple<T...>*) {
  std::string all;
  ((all += (all.empty() ? "" : ", ") + type_of<T>()), ...);
  return all;
}
template <class... T>
std::string fields_of(const std::vector<std::string>& names, std::tuple<T...>*) {
  std::string all;
  size_t place = 0;
  ((all += (all.empty() ? "" : ", ") + names.at(place++) + ": " + type_of<T>()), ...);
  return all;
}

template <class T, class = void>
struct has_show : std::false_type {};
template <class T>
struct has_show<T, std::void_t<decltype(std::string(std::declval<const T&>().show()))>> : std::true_type {};

struct Library {
  std::vector<ravel_p_function> functions;
  std::vector<ravel_p_type> types;
  ravel_p_foreign table;
  /* What the tables point at */
  std::vector<std::string*> texts;
  const char* keep(const std::string& text) {
    texts.push_back(new std::string(text));
    return texts.back()->c_str();
  }
};
RAVEL_P_OWN inline Library& library() {
  static Library* const own = new Library(); /* for ever: libraries stay loaded */
  return *own;
}

/* Sets and takes back what a call may ask. */
class Calling {
 public:
  explicit Calling(ravel_p_call* now) : before_(call()) { call() = now; }
  ~Calling() { call() = before_; }

 private:
  ravel_p_call* const before_;
};

inline void tell_thrown(ravel_p_call* now, const std::type_info& type, const char* what) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string text = std::string(status == 0 ? readable : type.name()) + ": " + what;
  std::free(readable);
  now->thrown(now, text.data(), text.size());
}

template <class Run>
ravel_p_value guarded(ravel_p_call* now, const Run& run) {
  const Calling calling(now);
  try {
    return run().handle();
  } catch (const Ended&) {
  } catch (const std::exception& thrown) {
    tell_thrown(now, typeid(thrown), thrown.what());
  } catch (...) {
    const std::string text = "something that is no std::exception";
    now->thrown(now, text.data(), text.size());
  }
  return RAVEL_P_NULL_VALUE;
}

/* Notes that the type is shown in its own way. */
template <class T>
void note_type(const char* name) {
  for (const ravel_p_type& one : library().types)
    if (std::string(one.name) == name) return;
  library().types.push_back({library().keep(name), [](ravel_p_call* now, ravel_p_value content) {
                               return guarded(now, [&] {
                                 const Value whole(now->make_foreign(now, Convert<T>::name(), content));
                                 return value<std::string>(whole.as<T>().show());
                               });
                             }});
}

} /* namespace detail */

template <>
struct Convert<Value> {
  static std::string type() { return "?"; }
  static Value from(Value value) { return value; }
  static Value to(const Value& value) { return value; }
};

template <>
struct Convert<bool> {
  static std::string type() { return "bool"; }
  static bool from(Value value) {
    detail::expect(value, RAVEL_P_BOOL, "a bool");
    return Value::host().to_bool(&Value::host(), value.handle()) != 0;
  }
  static Value to(bool truth) { return Value(Value::host().make_bool(&Value::host(), truth)); }
};

template <class T>
struct Convert<T,
               std::enable_if_t<(std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>>> {
  static std::string type() { return "int"; }
  static T from(Value value) {
    detail::expect(value, RAVEL_P_INT, "an int");
    const int64_t number = Value::host().to_int(&Value::host(), value.handle());
    const T made = static_cast<T>(number);
    if (static_cast<int64_t>(made) != number || (made < T{}) != (number < 0))
      throw std::out_of_range("the int " + std::to_string(number) + " does not fit its type in C++");
    return made;
  }
  static Value to(T number) {
    const int64_t made = static_cast<int64_t>(number);
    if ((number < T{}) != (made < 0)) throw std::out_of_range("a number does not fit the int of P");
    return Value(Value::host().make_int(&Value::host(), made));
  }
};

template <class T>
struct Convert<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static std::string type() { return "float"; }
  static T from(Value value) {
    detail::expect(value, RAVEL_P_FLOAT, "a float");
    return static_cast<T>(Value::host().to_float(&Value::host(), value.handle()));
  }
  static Value to(T number) {
    return Value(Value::host().make_float(&Value::host(), static_cast<double>(number)));
  }
};

template <>
struct Convert<std::string> {
  static std::string type() { return "string"; }
  static std::string from(Value value) {
    detail::expect(value, RAVEL_P_STRING, "a string");
    size_t length = 0;
    const char* const bytes = Value::host().to_string(&Value::host(), value.handle(), &length);
    return std::string(bytes, length);
  }
  static Value to(const std::string& text) {
    return Value(Value::host().make_string(&Value::host(), text.data(), text.size()));
  }
};

template <>
struct Convert<Event> {
  static std::string type() { return "event"; }
  static Event from(Value value) {
    detail::expect(value, RAVEL_P_EVENT, "an event");
    return Event(value);
  }
  static Value to(const Event& event) { return event.value(); }
};

template <>
struct Convert<Machine> {
  static std::string type() { return "machine"; }
  static Machine from(Value value) {
    detail::expect(value, RAVEL_P_MACHINE, "a machine");
    return Machine(value);
  }
  static Value to(const Machine& machine) { return machine.value(); }
};

/* Null, or a value of a type that can be null. */
template <class T>
struct Convert<std::optional<T>> {
  static std::string type() { return Convert<T>::type(); }
  static std::optional<T> from(Value value) {
    return value.is_null() ? std::nullopt : std::optional<T>(value.as<T>());
  }
  static Value to(const std::optional<T>& held) { return held ? value<T>(*held) : Value(); }
};

template <class T>
struct Convert<std::vector<T>> {
  static std::string type() { return "seq[" + Convert<T>::type() + "]"; }
  static std::vector<T> from(Value value) {
    detail::expect(value, RAVEL_P_SEQ, "a seq");
    std::vector<T> all;
    for (size_t i = 0, size = value.size(); i < size; ++i) all.push_back(value[i].as<T>());
    return all;
  }
  static Value to(const std::vector<T>& all) {
    std::vector<ravel_p_value> elements;
    for (const auto& one : all) elements.push_back(value<T>(one).handle());
    return detail::made_seq(elements);
  }
};

template <class T>
struct Convert<std::set<T>> {
  static std::string type() { return "set[" + Convert<T>::type() + "]"; }
  static std::set<T> from(Value value) {
    detail::expect(value, RAVEL_P_SET, "a set");
    std::set<T> all;
    for (size_t i = 0, size = value.size(); i < size; ++i) all.insert(value[i].as<T>());
    return all;
  }
  static Value to(const std::set<T>& all) {
    std::vector<ravel_p_value> elements;
    for (const T& one : all) elements.push_back(value<T>(one).handle());
    return Value(Value::host().make_set(&Value::host(), elements.data(), elements.size()));
  }
};

template <class K, class V>
struct Convert<std::map<K, V>> {
  static std::string type() { return "map[" + Convert<K>::type() + ", " + Convert<V>::type() + "]"; }
  static std::map<K, V> from(Value value) {
    detail::expect(value, RAVEL_P_MAP, "a map");
    std::map<K, V> all;
    for (size_t i = 0, size = value.size(); i < size; ++i)
      all.emplace(value[i].as<K>(), value.mapped(i).as<V>());
    return all;
  }
  static Value to(const std::map<K, V>& all) {
    std::vector<ravel_p_value> keys, values;
    for (const auto& one : all) {
      keys.push_back(value<K>(one.first).handle());
      values.push_back(value<V>(one.second).handle());
    }
    return Value(Value::host().make_map(&Value::host(), keys.data(), values.data(), keys.size()));
  }
};

template <class... T>
struct Convert<std::tuple<T...>> {
  static std::string type() {
    return "(" + detail::types_of(static_cast<std::tuple<T...>*>(nullptr)) + (sizeof...(T) == 1 ? ",)" : ")");
  }
  static std::tuple<T...> from(Value value) {
    detail::expect(value, RAVEL_P_TUPLE, "a tuple");
    detail::expect_size(value, sizeof...(T));
    return take(value, std::index_sequence_for<T...>());
  }
  static Value to(const std::tuple<T...>& parts) { return detail::made_tuple(detail::handles(parts)); }

 private:
  template <size_t... place>
  static std::tuple<T...> take(Value value, std::index_sequence<place...>) {
    return std::tuple<T...>{value[place].template as<T>()...};
  }
};

template <class A, class B>
struct Convert<std::pair<A, B>> {
  static std::string type() { return Convert<std::tuple<A, B>>::type(); }
  static std::pair<A, B> from(Value value) {
    std::tuple<A, B> parts = value.as<std::tuple<A, B>>();
    return std::pair<A, B>(std::move(std::get<0>(parts)), std::move(std::get<1>(parts)));
  }
  static Value to(const std::pair<A, B>& parts) { return value(std::tuple<A, B>(parts.first, parts.second)); }
};

/* Structs with RAVEL_P_FIELDS: tuples with names. */
template <class T>
struct Convert<T, typename T::ravel_p_is_record> {
  static std::string type() { return "(" + detail::fields_of(names(), static_cast<Parts*>(nullptr)) + ")"; }
  static T from(Value value) {
    detail::expect(value, RAVEL_P_NAMED_TUPLE, "a tuple with names");
    detail::expect_size(value, names().size());
    for (size_t i = 0; i < names().size(); ++i)
      if (value.field_name(i) != names()[i]) value.fail("a tuple with the field " + names()[i]);
    T made{};
    detail::take_parts(value, made.ravel_p_parts());
    return made;
  }
  static Value to(const T& record) {
    std::vector<const char*> fields;
    for (const std::string& name : names()) fields.push_back(name.c_str());
    const std::vector<ravel_p_value> parts = detail::handles(const_cast<T&>(record).ravel_p_parts());
    return Value(Value::host().make_named_tuple(&Value::host(), fields.data(), parts.data(), parts.size()));
  }

 private:
  using Parts = decltype(std::declval<T&>().ravel_p_parts());
  RAVEL_P_OWN static const std::vector<std::string>& names() {
    static const std::vector<std::string> all = detail::split_names(T::ravel_p_fields());
    return all;
  }
};

/* What Convert of a foreign type begins with. A class that is no struct of fields that can be converted says
 * itself what it is made of, here a tree that becomes a string:
 *
 *   template <>
 *   struct ravel::p::Convert<Tree> : ravel::p::Foreign<Tree> {
 *     static const char* name() { return "tTree"; }
 *     static Tree from(Value value) { return parse(content<std::string>(value)); }
 *     static Value to(const Tree& tree) { return made(print(tree)); }
 *   };
 */
template <class T>
struct Foreign {
  static std::string type() {
    if constexpr (detail::has_show<T>::value) detail::note_type<T>(Convert<T>::name());
    return Convert<T>::name();
  }
  template <class Content>
  static Content content(Value value) {
    const std::string name = Convert<T>::name();
    if (value.kind() != RAVEL_P_FOREIGN || Value::host().foreign_type(&Value::host(), value.handle()) != name)
      value.fail("a " + name);
    return Value(Value::host().content(&Value::host(), value.handle())).as<Content>();
  }
  template <class Content>
  static Value made(const Content& content) {
    return Value(
        Value::host().make_foreign(&Value::host(), Convert<T>::name(), value<Content>(content).handle()));
  }
};

/* Structs with RAVEL_P_TYPE. */
template <class T>
struct Convert<T, typename T::ravel_p_is_foreign> : Foreign<T> {
  static const char* name() { return T::ravel_p_name(); }
  static T from(Value value) {
    T made{};
    detail::take_parts(Foreign<T>::template content<Value>(value), made.ravel_p_parts());
    return made;
  }
  static Value to(const T& object) {
    return Foreign<T>::made(detail::made_tuple(detail::handles(const_cast<T&>(object).ravel_p_parts())));
  }
};

/* ---- Functions */

namespace detail {

template <auto function, class Result, class... Parameters, size_t... place>
ravel_p_value run(ravel_p_call* now, const ravel_p_value* arguments, std::index_sequence<place...>) {
  return guarded(now, [&]() -> Value {
    static_cast<void>(arguments);
    if constexpr (std::is_void_v<Result>) {
      function(Value(arguments[place]).template as<std::decay_t<Parameters>>()...);
      return Value();
    } else {
      return value<std::decay_t<Result>>(
          function(Value(arguments[place]).template as<std::decay_t<Parameters>>()...));
    }
  });
}

template <auto function, class Result, class... Parameters>
bool add(const char* name, Result (*)(Parameters...)) {
  static_assert(((!std::is_lvalue_reference_v<Parameters> ||
                  std::is_const_v<std::remove_reference_t<Parameters>>)&&...),
                "a foreign function takes its parameters by value or by const reference");
  std::string signature =
      "(" + types_of(static_cast<std::tuple<std::decay_t<Parameters>...>*>(nullptr)) + ")";
  if constexpr (!std::is_void_v<Result>) signature += ": " + type_of<Result>();
  library().functions.push_back({library().keep(name), library().keep(signature),
                                 [](ravel_p_call* now, const ravel_p_value* arguments, size_t) {
                                   return run<function, Result, Parameters...>(
                                       now, arguments, std::index_sequence_for<Parameters...>());
                                 }});
  return true;
}

} /* namespace detail */
} /* namespace p */
} /* namespace ravel */

extern "C" {
__attribute__((used)) inline const ravel_p_foreign* ravel_p_foreign_library(void) {
  ravel::p::detail::Library& own = ravel::p::detail::library();
  own.table = {RAVEL_P_FOREIGN_VERSION, own.functions.data(), own.functions.size(), own.types.data(),
               own.types.size()};
  return &own.table;
}
}

#define RAVEL_P_JOINED_(a, b) a##b
#define RAVEL_P_JOINED(a, b) RAVEL_P_JOINED_(a, b)

/* The C++ function of this name is the foreign function of this name: F, or Client::F of one that machine
 * Client declares (F in a namespace Client). It must not be overloaded. */
#define RAVEL_P_FUNCTION(function) RAVEL_P_FUNCTION_AS(#function, function)
/* The same under another name. */
#define RAVEL_P_FUNCTION_AS(name, function)                                           \
  [[maybe_unused]] static const bool RAVEL_P_JOINED(ravel_p_function_, __COUNTER__) = \
      ravel::p::detail::add<&function>(name, &function);

/* In a struct: it is a tuple with names, of these fields in this order. */
#define RAVEL_P_FIELDS(...)                                    \
  using ravel_p_is_record = void;                              \
  static const char* ravel_p_fields() { return #__VA_ARGS__; } \
  auto ravel_p_parts() { return std::tie(__VA_ARGS__); }

/* In a struct: it is the foreign type `name`, and made of these fields. A member `std::string show() const`
 * says how its values are shown. */
#define RAVEL_P_TYPE(name, ...)                       \
  using ravel_p_is_foreign = void;                    \
  static const char* ravel_p_name() { return #name; } \
  auto ravel_p_parts() { return std::tie(__VA_ARGS__); }

#endif

#endif
