#include "erlang/system/common_test_configuration.h"

#include "erlang/system/config_terms.h"
#include "erlang/system/folders.h"

namespace ravel::erlang {

namespace {

// The elements of all terms: a file holds terms, or one list of them.
Result<std::string> elements_of(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) {
    if (!is_file(file)) return Error{file + ": there is no such file of configuration. Check its path."};
    const auto terms = read_config_file(file);
    if (!terms) return terms.error();
    for (const ConfigTerm& term : *terms) {
      const bool is_list = term.kind == ConfigTerm::Kind::kList;
      for (const ConfigTerm& element : is_list ? term.parts : std::vector<ConfigTerm>{term})
        if (element.kind == ConfigTerm::Kind::kTuple &&
            element.parts.size() == 2)  // else the name of a further file
          text += (text.empty() ? "" : ",\n  ") + element.source;
    }
  }
  return text;
}

}  // namespace

Result<std::string> common_test_configuration(const std::vector<std::string>& test_files,
                                              const std::vector<std::string>& application_files,
                                              const std::string& hooks) {
  const auto config = elements_of(test_files);
  if (!config) return config.error();
  const auto environment = elements_of(application_files);
  if (!environment) return environment.error();
  return std::string("-module(") + kCommonTestConfiguration +
         ").\n-export([config/0, environment/0, hooks/0]).\n" + "config() ->\n [" + *config +
         "].\nenvironment() ->\n [" + *environment + "].\nhooks() ->\n " + (hooks.empty() ? "[]" : hooks) +
         ".\n";
}

}  // namespace ravel::erlang
