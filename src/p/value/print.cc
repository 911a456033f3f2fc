#include "p/value/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

class Printer {
 public:
  explicit Printer(const ValueNames& names, std::size_t bytes_max = kAll) : names_(names), left_(bytes_max) {}

  std::string text(Value value) {
    if (is_full()) return "...";
    std::string result = whole_text(value);
    if (left_ != kAll) left_ -= std::min(left_, is_composed(value) ? kComposedBytes : result.size());
    return result;
  }

 private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kComposedBytes = 2;  // its brackets

  bool is_full() const { return left_ == 0; }
  static bool is_composed(Value value) {
    return !value.is_null() && !value.is_none() &&
           (is_tuple(value) || is_named_tuple(value) || is_seq(value) || is_set(value) || is_map(value));
  }

  std::string whole_text(Value value) {
    if (value.is_null() || value.is_none()) return "";
    if (value.is_boolean()) return value.truth() ? "True" : "False";
    if (is_integer(value)) return std::to_string(integer_value(value));
    if (value.is_event()) return names_.event(value.event_number());
    if (value.is_machine()) return names_.machine(value.machine_number());
    if (is_float(value)) return to_text(float_value(value));
    if (is_string(value)) return std::string(string_value(value).substr(0, left_));
    // Parts are shared, so that there can be far more of them than there is memory.
    if (depth_ == kPrintedDepthMax || ++composed_ > kPrintedPartsMax) return "...";
    ++depth_;
    std::string result = composed(value);
    --depth_;
    return result;
  }

  std::string composed(Value value) {
    std::string result;
    if (is_tuple(value)) {
      for (std::size_t i = 0; i < tuple_size(value) && !is_full(); ++i)
        result += text(tuple_part(value, i)) + ",";
      return "<" + result + ">";
    }
    if (is_named_tuple(value)) {
      const std::span<const std::string_view> fields = names_.fields(tuple_shape(value));
      for (std::size_t i = 0; i < tuple_size(value) && !is_full(); ++i)
        result.append(fields[i]).append(":" + text(tuple_part(value, i)) + ", ");
      return "<" + result + ">";
    }
    if (is_foreign(value)) {
      if (std::optional<std::string> own = names_.shown(value)) return own->substr(0, left_);
      return std::string(names_.type_name(foreign_type(value))) + text(foreign_content(value));
    }
    std::vector<std::string> parts;
    if (is_seq(value)) {
      for (const Value element : seq::elements(value)) {
        if (is_full()) break;
        parts.push_back(text(element));
      }
    } else {
      parts = of_keys(value);
    }
    for (const std::string& part : parts) result += (&part == parts.data() ? "" : ", ") + part;
    return "(" + result + ")";
  }

  std::vector<std::string> of_keys(Value whole) {
    std::vector<std::pair<std::string, std::string>> entries;
    const std::vector<Value> keys = ordered::keys(whole);
    const std::vector<Value> values = is_map(whole) ? ordered::values(whole) : std::vector<Value>();
    for (std::size_t i = 0; i < keys.size() && !is_full(); ++i)
      entries.emplace_back(text(keys[i]), values.empty() ? "" : "->" + text(values[i]));
    std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
    std::vector<std::string> result;
    for (const auto& [key, value] : entries) result.push_back("<" + key + value + ">");
    return result;
  }

  const ValueNames& names_;
  unsigned depth_ = 0;
  unsigned composed_ = 0;
  std::size_t left_;  // bytes that the text may still have, or kAll
};

}  // namespace

std::string to_text(Value value, const ValueNames& names) { return Printer(names).text(value); }

std::string to_text(Value value, const ValueNames& names, std::size_t bytes_max) {
  return Printer(names, bytes_max).text(value);
}

std::string to_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  // d.ddde+xx
  char buffer[32];
  const char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  const std::string_view written(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t mark = written.find('e');
  int exponent = 0;
  std::from_chars(written.data() + mark + (written[mark + 1] == '+' ? 2 : 1), end, exponent);
  const std::string sign = number < 0 ? "-" : "";
  std::string digits;
  for (const char c : written.substr(0, mark))
    if (c >= '0' && c <= '9') digits += c;
  constexpr int kExponentEnd = 15, kExponentMin = -5;  // beyond, .NET writes the exponent
  if (exponent >= kExponentEnd || exponent < kExponentMin + 1) {
    const std::string size = std::to_string(std::abs(exponent));
    return sign + digits[0] + (digits.size() > 1 ? "." + digits.substr(1) : "") + "E" +
           (exponent < 0 ? "-" : "+") + (size.size() < 2 ? "0" : "") + size;
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace ravel::p
