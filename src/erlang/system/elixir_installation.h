// The Elixir that is installed: where its compiled libraries are, and its compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ravel::erlang {

class ElixirInstallation {
 public:
  // The installation whose program `elixir` is in a folder of $PATH, or named by $RAVEL_ELIXIR (its root,
  // which has lib/elixir/ebin). Nothing if there is none.
  static std::optional<ElixirInstallation> find();

  const std::string& root() const { return root_; }
  std::string program() const;  // elixir
  // elixir, ex_unit, logger, ...: as folders for -pa.
  std::span<const std::string> ebin_folders() const { return ebin_folders_; }

 private:
  std::string root_;
  std::vector<std::string> ebin_folders_;
};

// A module that was compiled, with the file that it is from.
struct CompiledElixirModule {
  std::string name;  // Elixir.Foo
  std::string file;  // as it was given
  std::string beam;
};

struct CompiledElixir {
  std::vector<CompiledElixirModule> modules;  // in the order of the files, and in each as they were compiled
  std::string messages;                       // warnings, as the compiler printed them
};

// The files of a mix project that configure applications, in the order in which they count, and for what.
struct MixConfiguration {
  std::vector<std::string> files = {};
  std::string environment = "test";
  std::vector<std::string> applications = {};  // applications that run when test_helper.exs does
};

// Compiles .ex and .exs files in one run of Elixir: sources first, then files named test_helper.exs, then the
// other scripts, of which only the modules are of use. ExUnit is started for them, but runs no test: `use
// ExUnit.Case` asks for it. What stands outside of modules runs while compiling; what that has configured
// goes into the folder as modules that ravel_exunit asks. If a file does not compile, the error is what
// Elixir
// printed, untouched.
Result<CompiledElixir> compile_elixir(const ElixirInstallation& elixir, std::span<const std::string> files,
                                      const std::string& output_folder,
                                      std::span<const std::string> code_folders,
                                      const MixConfiguration& configuration);

}  // namespace ravel::erlang
