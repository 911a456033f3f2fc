#include "erlang/term/print_elixir.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/number_text.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr std::string_view kAlias = "Elixir.";

// Atoms of other characters that need no quotes after the colon.
constexpr auto kOperators = std::to_array<std::string_view>(
    {"!",  "!=",  "!==", "%",   "%{}",  "&",  "&&",  "&&&", "*",   "**",  "+",    "++",  "+++",
     "-",  "--",  "---", "..",  "..//", "/",  "::",  "<",   "<-",  "<<<", "<<>>", "<<~", "<=",
     "<>", "<|>", "<~",  "<~>", "=",    "==", "===", "=>",  "=~",  ">",   ">=",   ">>>", "@",
     "^",  "^^^", "{}",  "|",   "|>",   "||", "|||", "~>",  "~>>", "~~~"});

constexpr bool is_letter(std::uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7);
}
constexpr bool is_upper(std::uint32_t c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_digit(std::uint32_t c) { return c >= '0' && c <= '9'; }

enum class End : std::uint8_t { kPlain, kMark };  // kMark: ? or ! may stand at the end

bool is_identifier(std::string_view text, End end) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (!next) return false;
    const std::uint32_t c = next->character;
    const bool is_mark = (c == '?' || c == '!') && end == End::kMark && at > 0 && at + 1 == text.size();
    if (!is_letter(c) && !(at > 0 && (is_digit(c) || c == '@')) && !is_mark) return false;
    at += next->size;
  }
  return !text.empty();
}

bool is_alias(std::string_view text) {
  if (!text.starts_with(kAlias)) return false;
  text.remove_prefix(kAlias.size());
  while (true) {
    const std::string_view part = text.substr(0, text.find('.'));
    const bool is_ascii = std::ranges::all_of(part, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < 0x80 && (is_letter(byte) || is_digit(byte));
    });
    if (part.empty() || !is_upper(static_cast<unsigned char>(part[0])) || !is_ascii) return false;
    if (part.size() == text.size()) return true;
    text.remove_prefix(part.size() + 1);
  }
}

bool is_printable(std::uint32_t c) {
  return (c >= 0x20 && c <= 0x7E) || (c >= 7 && c <= 13) || c == 27 || (c >= 0xA0 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

void append_escaped(std::string& text, std::uint32_t c) {
  constexpr std::string_view kLetters = "abtnvfr";  // of 7 to 13
  if (c == '"' || c == '\\') {
    text += '\\';
    text += static_cast<char>(c);
  } else if (c >= 7 && c <= 13) {
    text += '\\';
    text += kLetters[c - 7];
  } else if (c == 27) {
    text += "\\e";
  } else if (c == 127) {
    text += "\\d";
  } else if (c < 0x20) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02X", c);
    text += hex;
  } else {
    append_utf8(text, c);
  }
}

// In quotes. What looks like an interpolation is escaped.
void append_quoted(std::string& text, std::string_view characters) {
  text += '"';
  for (std::size_t at = 0; at < characters.size();) {
    const auto next = decode_utf8(characters, at);
    if (characters.substr(at).starts_with("#{")) text += '\\';
    append_escaped(text, next ? next->character : '?');
    at += next ? next->size : 1;
  }
  text += '"';
}

// Appends a name after the colon of an atom, before the colon of a key, or after the dot of a call.
void append_name(std::string& text, std::string_view name, End end) {
  if (is_identifier(name, end)) {
    text += name;
  } else {
    append_quoted(text, name);
  }
}

void append_atom(std::string& text, std::string_view name) {
  if (name == "nil" || name == "true" || name == "false" || name == "Elixir") {
    text += name;
  } else if (is_alias(name)) {
    text += name.substr(kAlias.size());
  } else if (std::ranges::find(kOperators, name) != kOperators.end()) {
    text += ':';
    text += name;
  } else {
    text += ':';
    append_name(text, name, End::kMark);
  }
}

class ElixirPrinter {
 public:
  ElixirPrinter(const Names& names, const PrintOptions& options) : names_(names), options_(options) {}

  std::string print(Term term) {
    begin(term);
    while (!open_.empty()) {
      if (text_.size() >= options_.bytes_max) return std::move(text_ += "...");
      next_element();
    }
    return std::move(text_);
  }

 private:
  enum class Form : std::uint8_t { kValues, kKeys, kArrows };  // a, b; a: b; a => b
  // A container whose beginning has been printed.
  struct Open {
    std::string_view close;
    Form form = Form::kValues;
    std::vector<Term> elements;  // keys and values in turn, or values
    Term tail = Term::nil();     // of an improper list
    std::size_t at = 0;
  };

  void next_element() {
    Open& open = open_.back();
    const bool is_value = open.form != Form::kValues && open.at % 2 == 1;
    if (is_value) {
      if (open.form == Form::kArrows) text_ += " => ";
      return begin(open.elements[open.at++]);
    }
    if (open.at == open.elements.size()) return finish();
    const std::size_t done = open.form == Form::kValues ? open.at : open.at / 2;
    if (done > 0) text_ += ", ";
    if (done == options_.elements_max) {
      text_ += "...";
      text_ += open.close;
      open_.pop_back();
      return;
    }
    const Term element = open.elements[open.at++];
    if (open.form != Form::kKeys) return begin(element);
    append_key(names_.atoms.text(element));
  }

  void finish() {
    Open& open = open_.back();
    if (!open.tail.is_nil()) {
      text_ += " | ";
      const Term tail = open.tail;
      open.tail = Term::nil();
      return begin(tail);
    }
    text_ += open.close;
    open_.pop_back();
  }

  void append_key(std::string_view name) {
    if (is_alias(name)) {
      append_quoted(text_, name);
    } else if (std::ranges::find(kOperators, name) != kOperators.end() && name != "..//" && name != "%{}") {
      text_ += name;
    } else {
      append_name(text_, name, End::kMark);
    }
    text_ += ": ";
  }

  void begin(Term t) {
    if (t.is_cons()) return begin_list(t);
    if (t.is_boxed()) return begin_object(t);
    if (t.is_small()) {
      text_ += std::to_string(t.small_value());
    } else if (t.is_atom()) {
      append_atom(text_, names_.atoms.text(t));
    } else if (t.is_nil()) {
      text_ += "[]";
    } else if (t.is_pid()) {
      text_ += "#PID<" + names_.pid_text(t) + '>';
    } else if (t.is_reference()) {
      text_ += "#Reference<" + names_.reference_text(t) + '>';
    } else if (t.is_port()) {
      text_ += "#Port<0." + std::to_string(t.port_name()) + '>';
    } else {
      text_ += "#<no term>";
    }
  }

  bool is_too_deep(std::string_view abbreviation) {
    if (open_.size() < options_.depth_max) return false;
    text_ += abbreviation;
    return true;
  }

  void begin_elements(std::string_view start, std::string_view close, Form form, std::vector<Term> elements,
                      Term tail = Term::nil()) {
    text_ += start;
    open_.push_back({.close = close, .form = form, .elements = std::move(elements), .tail = tail, .at = 0});
  }

  void begin_list(Term list) {
    if (is_text(list)) return print_characters(list);
    if (is_too_deep("[...]")) return;
    std::vector<Term> elements;
    bool is_keywords = true;
    // No more of a long list is looked at than can be shown.
    const std::size_t enough = std::min(options_.elements_max, options_.bytes_max);
    for (; list.is_cons() && elements.size() <= enough; list = list.tail()) {
      const Term element = list.head();
      is_keywords = is_keywords && is_tuple_of(element, 2) && erlang::element(element, 1).is_atom() &&
                    !is_alias(names_.atoms.text(erlang::element(element, 1)));
      elements.push_back(element);
    }
    if (list.is_cons()) list = Term::nil();
    if (!is_keywords || !list.is_nil())
      return begin_elements("[", "]", Form::kValues, std::move(elements), list);
    std::vector<Term> pairs;
    for (const Term pair : elements)
      pairs.insert(pairs.end(), {erlang::element(pair, 1), erlang::element(pair, 2)});
    begin_elements("[", "]", Form::kKeys, std::move(pairs));
  }

  static bool is_text(Term list) {
    for (; list.is_cons(); list = list.tail()) {
      if (!list.head().is_small()) return false;
      const std::int64_t c = list.head().small_value();
      if (!((c >= 0x20 && c <= 0x7E) || (c >= 7 && c <= 13) || c == 27)) return false;
    }
    return list.is_nil();
  }

  void print_characters(Term list) {
    text_ += "~c\"";
    for (; list.is_cons(); list = list.tail()) {
      if (text_.size() >= options_.bytes_max) {
        text_ += "...";
        break;
      }
      append_escaped(text_, static_cast<std::uint32_t>(list.head().small_value()));
    }
    text_ += '"';
  }

  void begin_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        if (is_too_deep("{...}")) return;
        return begin_elements("{", "}", Form::kValues, std::vector<Term>(object + 1, object + 1 + size));
      case Kind::kFlatMap:
      case Kind::kHashMap: return begin_map(t);
      case Kind::kPositiveBig:
      case Kind::kNegativeBig: text_ += integer_text(t); return;
      case Kind::kFloat: text_ += shortest_float_text(float_value(t)); return;
      case Kind::kBytes:
      case Kind::kBitstring: return print_bits(view_bits(t));
      case Kind::kFun: return print_fun(names_.fun(static_cast<std::uint32_t>(object[1].small_value())));
      case Kind::kExternalFun:
        text_ += '&';
        text_ += print_elixir_function(names_, object[1], object[2],
                                       static_cast<std::uint64_t>(object[3].small_value()));
        return;
      case Kind::kNativeRecord: text_ += "#NativeRecord<" + print_term(names_, t) + '>'; return;
      case Kind::kForeign:
        text_ += object[1] == atoms::kPid ? "#PID<" : object[1] == atoms::kPort ? "#Port<" : "#Reference<";
        text_ += names_.atoms.text(object[2]);
        for (Word i = 4; i <= size; ++i) text_ += '.' + integer_text(object[i]);
        text_ += '>';
        return;
      case Kind::kMatchContext: text_ += "#<match context>"; return;
      case Kind::kHashNode:
      case Kind::kFrame: text_ += "#<no term>"; return;
    }
  }

  void begin_map(Term map) {
    const Term module = elixir_struct(names_, map);
    if (!module.is_none() && begin_known_struct(map, names_.atoms.text(module))) return;
    std::string start = "%";
    if (!module.is_none()) append_atom(start, names_.atoms.text(module));
    if (is_too_deep(start + "{...}")) return;
    std::vector<Term> pairs;
    bool has_atoms = true;
    for (MapIterator iterator(map); iterator.next();) {
      const Term key = iterator.key();
      const std::string_view name = key.is_atom() ? names_.atoms.text(key) : std::string_view();
      if (!module.is_none() && (name == "__struct__" || name == "__exception__")) continue;
      has_atoms = has_atoms && key.is_atom() && !is_alias(name);
      pairs.insert(pairs.end(), {key, iterator.value()});
    }
    begin_elements(start + "{", "}", has_atoms ? Form::kKeys : Form::kArrows, std::move(pairs));
  }

  // Structs that everybody knows by another form.
  bool begin_known_struct(Term map, std::string_view module) {
    const auto field = [&](std::string_view key) { return elixir_field(names_, map, key); };
    if (module == "Elixir.Range") {
      const Term first = field("first"), last = field("last"), step = field("step");
      if (!first.is_small() || !last.is_small() || !step.is_small()) return false;
      text_ += std::to_string(first.small_value()) + ".." + std::to_string(last.small_value());
      const std::int64_t usual = first.small_value() <= last.small_value() ? 1 : -1;
      if (step.small_value() != usual || usual == -1) text_ += "//" + std::to_string(step.small_value());
      return true;
    }
    if (module == "Elixir.MapSet") {
      const Term members = field("map");
      if (members.is_none() || !is_map(members)) return false;
      if (is_too_deep("MapSet.new([...])")) return true;
      std::vector<Term> keys;
      for (MapIterator iterator(members); iterator.next();) keys.push_back(iterator.key());
      begin_elements("MapSet.new([", "])", Form::kValues, std::move(keys));
      return true;
    }
    return false;
  }

  void print_fun(const FunEntry& entry) {
    text_ += "#Function<" + std::to_string(entry.index) + "." + std::to_string(entry.old_uniq) + " in ";
    append_atom(text_, names_.atoms.text(entry.module));
    text_ += '>';
  }

  void print_bits(const BitView& view) {
    std::string bytes((view.length + 7) / 8, '\0');
    copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, view.length);
    if (view.length % 8 == 0 && is_text(bytes)) return print_string(bytes);
    text_ += "<<";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0) text_ += ", ";
      if (i == options_.elements_max || text_.size() >= options_.bytes_max) {
        text_ += "...";
        break;
      }
      const unsigned byte = static_cast<unsigned char>(bytes[i]);
      const unsigned width = i + 1 == bytes.size() && view.length % 8 != 0 ? view.length % 8 : 8;
      text_ += std::to_string(byte >> (8 - width));
      if (width != 8) text_ += "::size(" + std::to_string(width) + ")";
    }
    text_ += ">>";
  }

  static bool is_text(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const auto next = decode_utf8(bytes, at);
      if (!next || !is_printable(next->character)) return false;
      at += next->size;
    }
    return true;
  }

  void print_string(std::string_view characters) {
    const std::size_t room = options_.bytes_max > text_.size() ? options_.bytes_max - text_.size() : 0;
    if (characters.size() <= room) return append_quoted(text_, characters);
    std::size_t end = room;
    while (end > 0 && (static_cast<unsigned char>(characters[end]) & 0xC0) == 0x80) --end;
    append_quoted(text_, characters.substr(0, end));
    text_ += "...";
  }

  const Names& names_;
  const PrintOptions options_;
  std::string text_;
  std::vector<Open> open_;
};

}  // namespace

std::string print_elixir_term(const Names& names, Term term, const PrintOptions& options) {
  return ElixirPrinter(names, options).print(term);
}

std::string print_elixir_atom(const Names& names, Term atom) {
  std::string text;
  append_atom(text, names.atoms.text(atom));
  return text;
}

std::string print_elixir_function(const Names& names, Term module, Term function, std::uint64_t arity) {
  std::string text = print_elixir_atom(names, module) + '.';
  const std::string_view name = names.atoms.text(function);
  if (std::ranges::find(kOperators, name) != kOperators.end()) {
    text += name;
  } else {
    append_name(text, name, End::kMark);
  }
  return text + '/' + std::to_string(arity);
}

bool is_elixir_module(std::string_view name) { return name.starts_with(kAlias); }

Term elixir_field(const Names& names, Term map, std::string_view key) {
  if (!is_map(map)) return Term::none();
  for (MapIterator iterator(map); iterator.next();)
    if (iterator.key().is_atom() && names.atoms.text(iterator.key()) == key) return iterator.value();
  return Term::none();
}

Term elixir_struct(const Names& names, Term map) {
  const Term module = elixir_field(names, map, "__struct__");
  return module.is_atom() ? module : Term::none();
}

}  // namespace ravel::erlang
