#include "erlang/system/application_file.h"

#include "erlang/system/config_terms.h"

namespace ravel::erlang {

std::string application_file(const std::string& source, const std::vector<std::string>& modules) {
  const auto terms = read_config_terms(source, "");
  if (!terms || terms->size() != 1 || !terms->front().is_tagged("application", 3)) return source;
  const ConfigTerm& name = terms->front().parts[1];
  std::string text = "{application, " + name.source + ", [\n  {modules, [";
  for (const std::string& module : modules)
    text += (&module == &modules.front() ? "'" : ", '") + module + "'";
  text += "]}";
  for (const ConfigTerm& property : terms->front().parts[2].parts) {
    if (property.is_tagged("modules", 2)) continue;
    const bool is_version_to_find =
        property.is_tagged("vsn", 2) && property.parts[1].kind != ConfigTerm::Kind::kString;
    text += ",\n  " + (is_version_to_find ? R"({vsn, "0"})" : property.source);
  }
  return text + "]}.\n";
}

}  // namespace ravel::erlang
