#include "p/foreign/skeleton.h"

#include <map>
#include <set>

namespace ravel::p {

namespace {

class Skeleton {
 public:
  explicit Skeleton(const Program& program) : program_(program) {}

  void add(const Function& function) {
    std::string parameters;
    const std::string name(function.name);
    for (std::uint32_t i = 0; i < function.parameters; ++i) {
      const Variable& parameter = function.slots[i];
      const std::string type = type_of(parameter.type, name + "_" + std::string(parameter.name));
      parameters += (i > 0 ? ", " : "") + (is_small(parameter.type) ? type + " " : "const " + type + "& ") +
                    std::string(parameter.name);
    }
    const bool has_result = !function.result->is(TypeKind::kNull);
    const std::string result = has_result ? type_of(function.result, name + "_result") : "void";
    const std::string declaration = result + " " + name + "(" + parameters + ");";
    if (!function.owner) {
      functions_ += declaration + "\nRAVEL_P_FUNCTION(" + name + ")\n";
      return;
    }
    const std::string owner(program_.machine(*function.owner).name);
    functions_ +=
        "namespace " + owner + " { " + declaration + " }\nRAVEL_P_FUNCTION(" + owner + "::" + name + ")\n";
  }

  std::string text() const { return "#include <ravel/p_foreign.h>\n" + structs_ + functions_; }

 private:
  static bool is_small(const Type* type) {
    return type->is(TypeKind::kBool) || type->is(TypeKind::kInt) || type->is(TypeKind::kEnum) ||
           type->is(TypeKind::kFloat);
  }

  // `hint`: what a struct for it could be called.
  std::string type_of(const Type* type, const std::string& hint) {
    const auto of_parts = [&](const std::string& open) {
      std::string all;
      for (const Type* part : type->parts) all += (all.empty() ? "" : ", ") + type_of(part, hint);
      return open + "<" + all + ">";
    };
    switch (type->kind) {
      case TypeKind::kBool: return "bool";
      case TypeKind::kInt:
      case TypeKind::kEnum: return "int64_t";
      case TypeKind::kFloat: return "double";
      case TypeKind::kString: return "std::string";
      case TypeKind::kEvent: return "ravel::p::Event";
      case TypeKind::kMachine:
      case TypeKind::kPermission: return "ravel::p::Machine";
      case TypeKind::kSeq: return of_parts("std::vector");
      case TypeKind::kSet: return of_parts("std::set");
      case TypeKind::kMap: return of_parts("std::map");
      case TypeKind::kTuple: return of_parts("std::tuple");
      case TypeKind::kForeign: return foreign(type);
      case TypeKind::kNamedTuple: return record(type, hint);
      default: return "ravel::p::Value";
    }
  }

  std::string foreign(const Type* type) {
    const std::string name(type->name);
    if (known_.emplace(type, name).second) {
      names_.insert(name);
      structs_ += "struct " + name + " {\n  // its fields\n  RAVEL_P_TYPE(" + name +
                  " /* , the names of its fields */)\n};\n";
    }
    return name;
  }

  std::string record(const Type* type, const std::string& hint) {
    if (const auto known = known_.find(type); known != known_.end()) return known->second;
    std::string members, names;
    for (std::size_t i = 0; i < type->parts.size(); ++i) {
      const std::string field(type->fields[i]);
      members += "  " + type_of(type->parts[i], hint + "_" + field) + " " + field + ";\n";
      names += (i > 0 ? ", " : "") + field;
    }
    std::string name = hint;
    for (int number = 2; !names_.insert(name).second; ++number) name = hint + std::to_string(number);
    structs_ += "struct " + name + " {\n" + members + "  RAVEL_P_FIELDS(" + names + ")\n};\n";
    return known_[type] = name;
  }

  const Program& program_;
  std::map<const Type*, std::string> known_;
  std::set<std::string> names_;
  std::string structs_;
  std::string functions_;
};

}  // namespace

std::string skeleton(const Program& program, std::span<const FunctionId> functions) {
  Skeleton skeleton(program);
  for (const FunctionId id : functions) skeleton.add(program.function(id));
  return skeleton.text();
}

}  // namespace ravel::p
