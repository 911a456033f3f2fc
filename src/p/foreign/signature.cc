#include "p/foreign/signature.h"

namespace ravel::p {

namespace {

void append(std::string& text, const Type* type) {
  const auto parts = [&](std::string_view open, std::string_view close) {
    text += open;
    for (std::size_t i = 0; i < type->parts.size(); ++i) {
      if (i > 0) text += ", ";
      if (!type->fields.empty()) text.append(type->fields[i]).append(": ");
      append(text, type->parts[i]);
    }
    text += close;
  };
  switch (type->kind) {
    case TypeKind::kBool: text += "bool"; break;
    case TypeKind::kInt:
    case TypeKind::kEnum: text += "int"; break;
    case TypeKind::kFloat: text += "float"; break;
    case TypeKind::kString: text += "string"; break;
    case TypeKind::kEvent: text += "event"; break;
    case TypeKind::kMachine:
    case TypeKind::kPermission: text += "machine"; break;
    case TypeKind::kForeign: text += type->name; break;
    case TypeKind::kSeq: parts("seq[", "]"); break;
    case TypeKind::kSet: parts("set[", "]"); break;
    case TypeKind::kMap: parts("map[", "]"); break;
    case TypeKind::kTuple: parts("(", type->parts.size() == 1 ? ",)" : ")"); break;
    case TypeKind::kNamedTuple: parts("(", ")"); break;
    default: text += "?"; break;
  }
}

// How long a type is that stands at the beginning of the text, whatever it is.
std::size_t length_of_type(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (depth == 0 && (c == ')' || c == ']' || c == ',')) return i;
    if (c == ')' || c == ']') --depth;
  }
  return text.size();
}

// Compares what the program declares, where `?` is any type, with what a library says.
class Comparison {
 public:
  Comparison(std::string_view declared, std::string_view given) : declared_(declared), given_(given) {}

  bool holds() {
    bool is_result = false;
    while (!declared_.empty() && !given_.empty()) {
      if (declared_.starts_with("): ")) is_result |= depth_ == 1;
      if (given_.front() == '?' || (is_result && declared_.front() == '?')) {
        declared_.remove_prefix(length_of_type(declared_));
        given_.remove_prefix(length_of_type(given_));
        continue;
      }
      if (declared_.front() != given_.front()) return false;
      depth_ += declared_.front() == '(' ? 1 : declared_.front() == ')' ? -1 : 0;
      declared_.remove_prefix(1);
      given_.remove_prefix(1);
    }
    return declared_.empty() && given_.empty();
  }

 private:
  std::string_view declared_, given_;
  int depth_ = 0;
};

}  // namespace

std::string signature_of(const Function& function) {
  std::string text = "(";
  for (std::uint32_t i = 0; i < function.parameters; ++i) {
    if (i > 0) text += ", ";
    append(text, function.slots[i].type);
  }
  text += ")";
  if (function.result->is(TypeKind::kNull)) return text;
  text += ": ";
  append(text, function.result);
  return text;
}

bool fits_signature(std::string_view signature, const Function& function) {
  return Comparison(signature_of(function), signature).holds();
}

}  // namespace ravel::p
