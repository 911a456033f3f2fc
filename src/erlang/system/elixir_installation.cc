#include "erlang/system/elixir_installation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "erlang/system/run_program.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

// Writes a line FILE TAB MODULE into modules.txt for each module. A later group may use what an earlier one defines.
//
// What a test needs to know of the scripts besides their modules becomes two modules: the settings of ExUnit and the
// project's configuration, and a function of those expressions of test_helper.exs that only concern applications.
constexpr char kCompileScript[] = R"elixir(
[out, listing, environment, count | arguments] = System.argv()
{configurations, files} = Enum.split(arguments, String.to_integer(count))
Code.prepend_path(out)
{:ok, _} = Application.ensure_all_started(:ex_unit)
ExUnit.start(autorun: false)
{:ok, list} = File.open(listing, [:write, :utf8])
write = fn module, binary -> File.write!(Path.join(out, "#{module}.beam"), binary) end

note = fn file, module, binary ->
  write.(module, binary)
  IO.write(list, [file, ?\t, Atom.to_string(module), ?\n])
end

{scripts, sources} = Enum.split_with(files, &(Path.extname(&1) == ".exs"))
{helpers, scripts} = Enum.split_with(scripts, &(Path.basename(&1) == "test_helper.exs"))

read = fn file, config ->
  Config.Reader.merge(config, Config.Reader.read!(file, env: String.to_atom(environment), target: :host))
end

config = Enum.reduce(configurations, [], read)

# A script that has been run is not run again when another one requires it.
compile = fn
  group, :sources -> Kernel.ParallelCompiler.compile(group, each_module: note)
  group, :scripts -> Kernel.ParallelCompiler.require(group, each_module: note)
end

for {group, kind} <- [{sources, :sources}, {helpers, :scripts}, {scripts, :scripts}], group != [] do
  case compile.(group, kind) do
    {:ok, _modules, _warnings} -> :ok
    {:error, _errors, _warnings} -> System.halt(1)
  end
end

File.close(list)
noted = [:include, :exclude, :assert_receive_timeout, :refute_receive_timeout]
functions = [list: Keyword.take(ExUnit.configuration(), noted), environment: config]

abstract = fn term ->
  try do
    :erl_parse.abstract(term)
  rescue
    _ ->
      IO.puts(:stderr, "#{Enum.join(configurations, ", ")}: a value is neither data nor the name of a function, so it " <>
                       "cannot be given to the program: leave it out for this environment (#{environment}).")
      System.halt(1)
  end
end

{:ok, module, binary} =
  :compile.forms(
    [{:attribute, 1, :module, :ravel_exunit_configuration},
     {:attribute, 1, :export, Enum.map(functions, fn {name, _} -> {name, 0} end)}] ++
      for({name, term} <- functions, do: {:function, 1, name, 0, [{:clause, 1, [], [], [abstract.(term)]}]})
  )

write.(module, binary)

starting = [:ensure_all_started, :ensure_started, :load, :put_all_env, :put_env, :start]

concerns_application? = fn
  {{:., _, [{:__aliases__, _, [:Application]}, function]}, _, arguments} ->
    function in starting and Macro.quoted_literal?(arguments)

  _ ->
    false
end

kept? = fn
  {:=, _, [_pattern, call]} -> concerns_application?.(call)
  call -> concerns_application?.(call)
end

expressions = fn file ->
  case Code.string_to_quoted!(File.read!(file), file: file) do
    {:__block__, _, expressions} -> expressions
    expression -> [expression]
  end
end

helpers = Enum.filter(Code.required_files(), &(Path.basename(&1) == "test_helper.exs"))

case Enum.filter(Enum.flat_map(helpers, expressions), kept?) do
  [] ->
    :ok

  kept ->
    body = quote(do: def(run, do: unquote({:__block__, [], kept})))
    {:module, module, binary, _} = Module.create(:ravel_exunit_helper, body, Macro.Env.location(__ENV__))
    write.(module, binary)
end

System.halt(0)
)elixir";

bool is_root(const fs::path& folder) {
  std::error_code problem;
  return fs::is_regular_file(folder / "lib" / "elixir" / "ebin" / "elixir.app", problem);
}

std::optional<fs::path> find_root() {
  if (const char* named = std::getenv("RAVEL_ELIXIR")) {
    if (is_root(named)) return named;
    return std::nullopt;
  }
  std::string_view path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    std::error_code problem;
    const fs::path program = fs::canonical(fs::path(path.substr(0, end)) / "elixir", problem);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (problem) continue;
    const fs::path prefix = program.parent_path().parent_path();
    for (const fs::path& root : {prefix, prefix / "lib" / "elixir"})
      if (is_root(root)) return root;
  }
  for (const char* place : {"/usr/lib/elixir", "/usr/local/lib/elixir", "/opt/elixir"})
    if (is_root(place)) return place;
  return std::nullopt;
}

}  // namespace

std::optional<ElixirInstallation> ElixirInstallation::find() {
  const auto root = find_root();
  if (!root) return std::nullopt;
  ElixirInstallation found;
  found.root_ = *root;
  std::error_code problem;
  for (fs::directory_iterator entry(*root / "lib", problem), end; !problem && entry != end; entry.increment(problem)) {
    const fs::path ebin = entry->path() / "ebin";
    if (fs::is_directory(ebin)) found.ebin_folders_.push_back(ebin);
  }
  std::ranges::sort(found.ebin_folders_);
  return found;
}

std::string ElixirInstallation::program() const {
  const fs::path own = fs::path(root_) / "bin" / "elixir";
  std::error_code problem;
  return fs::is_regular_file(own, problem) ? own.string() : "elixir";
}

Result<CompiledElixir> compile_elixir(const ElixirInstallation& elixir, std::span<const std::string> files,
                                      const std::string& output_folder, std::span<const std::string> code_folders,
                                      const MixConfiguration& configuration) {
  const std::string script = output_folder + "/compile.exs", listing = output_folder + "/modules.txt";
  std::ofstream(script) << kCompileScript;
  std::vector<std::string> command = {elixir.program()};
  for (const std::string& folder : code_folders) command.insert(command.end(), {"-pa", folder});
  command.insert(command.end(), {script, output_folder, listing, configuration.environment,
                                 std::to_string(configuration.files.size())});
  std::ranges::copy(configuration.files, std::back_inserter(command));
  std::map<std::string, std::string> given;  // by absolute path
  for (const std::string& file : files) {
    const std::string path = fs::absolute(file).lexically_normal();
    given[path] = file;
    command.push_back(path);
  }
  Result<ProgramRun> run = run_program(command);
  if (!run)
    return Error{run.error().message + " It compiles .ex and .exs files: install Elixir (on Debian and Ubuntu: the package "
                                       "elixir), or give compiled .beam files."};
  if (run->exit_status != 0) {
    if (!run->output.empty()) return Error{std::move(run->output)};
    return Error{command.front() + ": failed with status " + std::to_string(run->exit_status) + " and said nothing."};
  }
  CompiledElixir compiled;
  compiled.messages = std::move(run->output);
  std::ifstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.rfind('\t');
    if (tab == std::string::npos) continue;
    CompiledElixirModule module;
    module.name = line.substr(tab + 1);
    const std::string path = fs::path(line.substr(0, tab)).lexically_normal();
    module.file = given.contains(path) ? given[path] : path;
    module.beam = output_folder + "/" + module.name + ".beam";
    if (!fs::is_regular_file(module.beam))
      return Error{module.beam + ": Elixir did not write this file, but did not say why. It printed: " + compiled.messages};
    compiled.modules.push_back(std::move(module));
  }
  // The compiler works on several files at a time, so its own order is not always the same.
  const auto position = [&](const CompiledElixirModule& module) { return std::ranges::find(files, module.file) - files.begin(); };
  std::ranges::stable_sort(compiled.modules, [&](const CompiledElixirModule& a, const CompiledElixirModule& b) {
    return position(a) != position(b) ? position(a) < position(b) : a.name < b.name;
  });
  return compiled;
}

}  // namespace ravel::erlang
