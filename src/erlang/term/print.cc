#include "erlang/term/print.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/number_text.h"
#include "erlang/term/release.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"after", "and",  "andalso", "band",   "begin",   "bnot", "bor", "bsl",  "bsr",
     "bxor",  "case", "catch",   "cond",   "div",     "end",  "fun", "if",   "let",
     "not",   "of",   "or",      "orelse", "receive", "rem",  "try", "when", "xor"});
static_assert(std::ranges::is_sorted(kReservedWords));

constexpr bool is_lower(std::uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0xFF && c != 0xF7);
}
constexpr bool is_name_character(std::uint32_t c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
         (c >= 0xC0 && c <= 0xDE && c != 0xD7);
}

// The letter after the backslash for a control character that has one, or 0.
constexpr char escape_letter(std::uint32_t c) {
  switch (c) {
    case '\b': return 'b';
    case '\t': return 't';
    case '\n': return 'n';
    case '\v': return 'v';
    case '\f': return 'f';
    case '\r': return 'r';
    case 0x1B: return 'e';
    case 0x7F: return 'd';
    default: return 0;
  }
}

// What io_lib:printable_latin1_list/1 accepts.
constexpr bool is_printable(std::uint64_t c) {
  return (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xFF) ||
         (c < 0x20 && escape_letter(static_cast<std::uint32_t>(c)) != 0);
}
// What the emulator takes for a character of a string when it displays a list.
constexpr bool is_displayable(std::uint64_t c) {
  return c <= 0xFF && ((c >= 0x20 && c != 0x7F) || (c >= '\t' && c <= '\r'));
}

void append_quoted_character(std::string& text, std::uint32_t c, char quote) {
  if (c == static_cast<unsigned char>(quote) || c == '\\') {
    text += '\\';
    text += static_cast<char>(c);
  } else if (const char letter = escape_letter(c); letter != 0) {
    text += '\\';
    text += letter;
  } else if (c < 0x20 || (c >= 0x80 && c < 0xA0)) {
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", c);
    text += octal;
  } else {
    append_utf8(text, c);
  }
}

// The emulator's own messages know no reserved words, and quote what holds an @.
bool needs_quotes(std::string_view text, PrintStyle style) {
  if (text.empty()) return true;
  if (style == PrintStyle::kDisplay && text.find('@') != std::string_view::npos) return true;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (!next || !(at == 0 ? is_lower(next->character) : is_name_character(next->character))) return true;
    at += next->size;
  }
  if (style == PrintStyle::kDisplay) return false;
  return std::ranges::binary_search(kReservedWords, text) ||
         (text == "maybe" && installed_release().reserves_maybe);
}

void append_atom(std::string& text, std::string_view name, PrintStyle style = PrintStyle::kReadable) {
  if (!needs_quotes(name, style)) {
    text += name;
    return;
  }
  text += '\'';
  for (std::size_t at = 0; at < name.size();) {
    const auto next = decode_utf8(name, at);
    append_quoted_character(text, next ? next->character : '?', '\'');
    at += next ? next->size : 1;
  }
  text += '\'';
}

class Printer {
 public:
  Printer(const Names& names, const PrintOptions& options) : names_(names), options_(options) {}

  std::string print(Term term) {
    begin(term);
    while (!open_.empty()) {
      if (text_.size() >= options_.bytes_max) return std::move(text_ += "...");
      next_element();
    }
    return std::move(text_);
  }

 private:
  // A container whose beginning has been printed.
  struct Open {
    char close;
    Term list = Term::nil();     // lists: the rest
    std::vector<Term> elements;  // others; of maps: keys and values in turn
    std::size_t at = 0;          // elements printed
  };

  bool is_display() const { return options_.style == PrintStyle::kDisplay; }

  void next_element() {
    Open& open = open_.back();
    if (open.close == ']') {
      if (open.list.is_nil()) return close("]");
      if (open.at == options_.elements_max) return close("|...]");
      if (!open.list.is_cons()) {
        if (open.at++ > 0) text_ += '|';
        const Term tail = open.list;
        open.list = Term::nil();
        return begin(tail);
      }
      if (open.at++ > 0) text_ += ',';
      const Term head = open.list.head();
      open.list = open.list.tail();
      return begin(head);
    }
    const bool has_pairs = open.close == 'm' || open.close == 'r';
    const bool is_value = has_pairs && open.at % 2 == 1;
    if (open.at == open.elements.size()) return close("}");
    if (is_value) {
      const std::string_view sign = open.close == 'm' ? "=>" : "=";
      text_ += is_display() ? std::string(sign) : " " + std::string(sign) + " ";
    } else {
      const std::size_t done = has_pairs ? open.at / 2 : open.at;
      if (done == options_.elements_max) return close(done == 0 ? "...}" : ",...}");
      if (done > 0) text_ += ',';
    }
    begin(open.elements[open.at++]);
  }

  void close(std::string_view end) {
    text_ += end;
    open_.pop_back();
  }

  void begin(Term t) {
    if (t.is_cons()) return begin_list(t);
    if (t.is_boxed()) return begin_object(t);
    if (t.is_small()) {
      text_ += std::to_string(t.small_value());
    } else if (t.is_atom()) {
      append_atom(text_, names_.atoms.text(t), options_.style);
    } else if (t.is_nil()) {
      text_ += "[]";
    } else if (t.is_pid()) {
      text_ += '<' + names_.pid_text(t) + '>';
    } else if (t.is_reference()) {
      text_ += "#Ref<" + names_.reference_text(t) + '>';
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

  void begin_list(Term list) {
    if (is_string(list)) return print_string(list);
    if (is_too_deep("[...]")) return;
    text_ += '[';
    open_.push_back({.close = ']', .list = list, .elements = {}, .at = 0});
  }

  bool is_string(Term list) const {
    if (options_.style == PrintStyle::kPlain) return false;
    for (; list.is_cons(); list = list.tail()) {
      if (!list.head().is_small()) return false;
      const auto character = static_cast<std::uint64_t>(list.head().small_value());
      if (!(is_display() ? is_displayable(character) : is_printable(character))) return false;
    }
    return list.is_nil();
  }

  void append_character(std::uint32_t c) {
    if (!is_display()) return append_quoted_character(text_, c, '"');
    if (c == '"') {
      text_ += "\\\"";
    } else if (c == '\n') {
      text_ += "\\n";
    } else {
      append_utf8(text_, c);
    }
  }

  void print_string(Term list) {
    text_ += '"';
    for (; list.is_cons(); list = list.tail()) {
      if (text_.size() >= options_.bytes_max) {
        text_ += '"';  // the loop in print adds the dots if something is open
        if (open_.empty()) text_ += "...";
        return;
      }
      append_character(static_cast<std::uint32_t>(list.head().small_value()));
    }
    text_ += '"';
  }

  void begin_elements(char end, std::string_view start, std::vector<Term> elements) {
    text_ += start;
    open_.push_back({.close = end, .list = Term::nil(), .elements = std::move(elements), .at = 0});
  }

  void begin_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        if (is_too_deep("{...}")) return;
        return begin_elements('}', "{", std::vector<Term>(object + 1, object + 1 + size));
      case Kind::kFlatMap:
      case Kind::kHashMap: {
        if (is_too_deep("#{...}")) return;
        std::vector<Term> pairs;
        for (MapIterator iterator(t); iterator.next();)
          pairs.insert(pairs.end(), {iterator.key(), iterator.value()});
        return begin_elements('m', "#{", std::move(pairs));
      }
      case Kind::kPositiveBig:
      case Kind::kNegativeBig: text_ += integer_text(t); return;
      case Kind::kFloat: return print_float(float_value(t));
      case Kind::kBytes:
      case Kind::kBitstring: return print_bits(view_bits(t));
      case Kind::kFun: {
        const FunEntry& entry = names_.fun(static_cast<std::uint32_t>(object[1].small_value()));
        text_ += "#Fun<";
        text_ += names_.atoms.text(entry.module);
        text_ += '.' + std::to_string(entry.index) + '.' + std::to_string(entry.old_uniq) + '>';
        return;
      }
      case Kind::kExternalFun:
        text_ += "fun ";
        append_atom(text_, names_.atoms.text(object[1]), options_.style);
        text_ += ':';
        append_atom(text_, names_.atoms.text(object[2]), options_.style);
        text_ += '/' + std::to_string(object[3].small_value());
        return;
      case Kind::kForeign: return print_foreign(object, size);
      case Kind::kNativeRecord: return begin_record(t);
      case Kind::kMatchContext: text_ += "#<match context>"; return;
      case Kind::kHashNode:
      case Kind::kFrame: text_ += "#<no term>"; return;
    }
  }

  // #module:name{field = value}
  void begin_record(Term record) {
    const Term definition = record_definition(record);
    std::string start = "#";
    append_atom(start, names_.atoms.text(defining_module(definition)), options_.style);
    start += ':';
    append_atom(start, names_.atoms.text(defined_name(definition)), options_.style);
    start += '{';
    if (is_too_deep(start + "...}")) return;
    std::vector<Term> pairs;
    for (std::size_t i = 0; i < record_values(record).size(); ++i)
      pairs.insert(pairs.end(), {defined_fields(definition)[i], record_values(record)[i]});
    begin_elements('r', start, std::move(pairs));
  }

  void print_foreign(const Term* object, Word size) {
    text_ += object[1] == atoms::kPid ? "<" : object[1] == atoms::kPort ? "#Port<" : "#Ref<";
    text_ += names_.atoms.text(object[2]);
    for (Word i = 4; i <= size; ++i) text_ += '.' + integer_text(object[i]);
    text_ += '>';
  }

  void print_float(double value) {
    if (!is_display()) {
      text_ += shortest_float_text(value);
      return;
    }
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%e", value);
    text_ += buffer;
  }

  void print_bits(const BitView& view) {
    std::string bytes((view.length + 7) / 8, '\0');
    copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, view.length);
    text_ += "<<";
    if (view.length % 8 != 0 || bytes.empty() || !print_binary_text(bytes)) print_bytes(bytes, view.length);
    text_ += ">>";
  }

  void print_bytes(std::string_view bytes, std::uint64_t bits) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0) text_ += ',';
      if (i == options_.elements_max || text_.size() >= options_.bytes_max) {
        text_ += "...";
        return;
      }
      const unsigned byte = static_cast<unsigned char>(bytes[i]);
      const unsigned width = i + 1 == bytes.size() && bits % 8 != 0 ? bits % 8 : 8;
      text_ += std::to_string(byte >> (8 - width));
      if (width != 8) text_ += ':' + std::to_string(width);
    }
  }

  // Prints text in quotes, if the bytes are text.
  bool print_binary_text(std::string_view bytes) {
    if (options_.style == PrintStyle::kPlain) return false;
    const auto is_ascii = [](char c) { return c >= 0x20 && c < 0x7F; };
    const auto is_latin1 = [](char c) { return is_printable(static_cast<unsigned char>(c)); };
    if (is_display() && !std::ranges::all_of(bytes, is_ascii)) return false;
    // What is UTF-8 is shown as that or not at all; only other bytes can be Latin-1.
    bool is_utf8 = true, is_text = true;
    for (std::size_t at = 0; at < bytes.size() && is_utf8;) {
      const auto next = decode_utf8(bytes, at);
      is_utf8 = next.has_value();
      is_text = is_utf8 && is_text && is_printable(next->character);
      at += next ? next->size : 0;
    }
    if (!is_utf8) is_text = std::ranges::all_of(bytes, is_latin1);
    if (!is_text) return false;
    text_ += '"';
    for (std::size_t at = 0; at < bytes.size();) {
      if (text_.size() >= options_.bytes_max) {
        text_ += "\"...";
        return true;
      }
      const auto next =
          is_utf8 ? decode_utf8(bytes, at) : Utf8Character{static_cast<unsigned char>(bytes[at]), 1};
      append_character(next->character);
      at += next->size;
    }
    text_ += '"';
    const bool has_wide =
        std::ranges::any_of(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (is_utf8 && has_wide) text_ += "/utf8";
    return true;
  }

  const Names& names_;
  const PrintOptions& options_;
  std::string text_;
  std::vector<Open> open_;
};

}  // namespace

std::string print_term(const Names& names, Term term, const PrintOptions& options) {
  return Printer(names, options).print(term);
}

std::string print_atom(const Names& names, Term atom) {
  std::string text;
  append_atom(text, names.atoms.text(atom));
  return text;
}

std::string print_function(const Names& names, Term module, Term function, std::uint64_t arity) {
  return print_atom(names, module) + ':' + print_atom(names, function) + '/' + std::to_string(arity);
}

}  // namespace ravel::erlang
