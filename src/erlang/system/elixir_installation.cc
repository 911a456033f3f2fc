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

// Writes a line FILE TAB MODULE into modules.txt for each module. A later group may use what an earlier one
// defines.
//
// What a test needs to know of the scripts in addition to their modules becomes further modules: the settings
// of ExUnit and the project's configuration, and functions of what stands in each test_helper.exs, which run
// before the tests. Here a helper runs too, with the project's applications started, because it may define
// what the tests are compiled with; an expression that has defined a module is not run again.
constexpr char kCompileScript[] = R"elixir(
[out, listing, environment, applications, count | arguments] = System.argv()
applications = for name <- String.split(applications, ",", trim: true), do: String.to_atom(name)
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

unless helpers == [] or applications == [] do
  :logger.set_primary_config(:level, :emergency)
  for {name, pairs} <- config, {key, value} <- pairs,
    do: Application.put_env(name, key, value, persistent: true)

  for name <- applications do
    # Told when an expression of the helper fails, too; otherwise the start before the tests tells its error.
    with {:error, reason} <- Application.ensure_all_started(name) do
      Process.put(:not_started, Process.get(:not_started, "") <>
        "While test_helper.exs is read, the application #{name} can't be started: #{inspect(reason)}\n")
    end
  end
end

defmodule :ravel_tracer do
  def trace({:on_module, binary, _}, env) do
    send(:ravel_compiler, {:module, env.file, env.module, binary})
    :ok
  end

  def trace(_event, _env), do: :ok
end

Process.register(self(), :ravel_compiler)

defined = fn defined ->
  receive do
    {:module, file, module, binary} ->
      note.(file, module, binary)
      [module | defined.(defined)]
  after
    0 -> []
  end
end

line_of = fn
  {_, meta, _} -> Keyword.get(meta, :line, 0)
  _ -> 0
end

expressions = fn file ->
  case Code.string_to_quoted!(File.read!(file), file: file) do
    {:__block__, _, expressions} -> expressions
    expression -> [expression]
  end
end

fails = fn file, expression, reason ->
  IO.write(:stderr, Process.delete(:not_started) || "")
  place = "#{Path.relative_to_cwd(file)}:#{line_of.(expression)}"
  IO.puts(:stderr, "#{place}: fails while the tests are compiled: #{reason}")
end

# Those expressions that define no module, each with its first line.
run_helper = fn file ->
  :elixir_code_server.call({:acquire, file})
  Code.put_compiler_option(:tracers, [:ravel_tracer])

  start = {[], [], %{Code.env_for_eval(file: file) | tracers: [:ravel_tracer]}}

  {kept, _, _} =
    Enum.reduce(expressions.(file), start, fn expression, {kept, binding, env} ->
      {binding, env} =
        try do
          {_, binding, env} = Code.eval_quoted_with_env(expression, binding, env)
          {binding, env}
        rescue
          error in [CompileError, SyntaxError, TokenMissingError] ->
            IO.puts(:stderr, "** (#{inspect(error.__struct__)}) #{Exception.message(error)}")
            System.halt(1)

          error ->
            fails.(file, expression, Exception.message(error))
            {binding, env}
        catch
          kind, reason ->
            fails.(file, expression, "#{kind} #{inspect(reason)}")
            {binding, env}
        end

      {if(defined.(defined) == [], do: [expression | kept], else: kept), binding, env}
    end)

  Code.put_compiler_option(:tracers, [])
  :elixir_code_server.cast({:required, file})
  {file, Enum.reverse(kept)}
end

# A script that has been run is not run again when another one requires it.
compile = fn
  group, :sources -> Kernel.ParallelCompiler.compile(group, each_module: note, return_diagnostics: true)
  group, :scripts -> Kernel.ParallelCompiler.require(group, each_module: note, return_diagnostics: true)
end

compile_all = fn group, kind ->
  case group != [] && compile.(group, kind) do
    {:error, _errors, _warnings} -> System.halt(1)
    _ -> :ok
  end
end

compile_all.(sources, :sources)
helped = Enum.map(helpers, run_helper)
compile_all.(scripts, :scripts)

File.close(list)
noted = [:include, :exclude, :assert_receive_timeout, :refute_receive_timeout]
functions = [list: Keyword.take(ExUnit.configuration(), noted), environment: config]

abstract = fn term ->
  try do
    :erl_parse.abstract(term)
  rescue
    _ ->
      IO.puts(:stderr, "#{Enum.join(configurations, ", ")}: a value is neither data nor the name of a " <>
                       "function, so it cannot be given to the program: leave it out for this environment " <>
                       "(#{environment}).")
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

# An expression that fails, or does what no schedule controls, is left out when the program runs:
# so each has its lines.
attempt = fn expression, first, last ->
  quote do
    :ravel_exunit.attempt(unquote(first), unquote(last), fn -> unquote(expression) end)
  end
end

in_program = fn expression, first, last ->
  case expression do
    {{:., _, [{:__aliases__, _, [:ExUnit]}, :start]}, _, []} -> :ok
    {{:., _, [{:__aliases__, _, [:ExUnit]}, :start]}, _, [options]} ->
      quote(do: ExUnit.configure(unquote(options)))
    {{:., _, [{:__aliases__, _, [:Code]}, _]}, _, _} -> :ok
    {form, _, _} when form in [:alias, :import, :require, :use] -> expression
    {:=, meta, [pattern, value]} -> {:=, meta, [pattern, attempt.(value, first, last)]}
    _ -> attempt.(expression, first, last)
  end
end

make_function = fn {{file, kept}, index} ->
  firsts = Enum.map(kept, line_of)
  lasts = Enum.map(Enum.drop(firsts, 1), &(&1 - 1)) ++ [1_000_000]
  body =
    for {expression, first, last} <- Enum.zip([kept, firsts, lasts]), do: in_program.(expression, first, last)
  name = :"ravel_exunit_helper_#{index}"

  ExUnit.CaptureIO.capture_io(:stderr, fn ->
    function = quote(do: def(run, do: unquote({:__block__, [], body ++ [:ok]})))

    try do
      {:module, _, binary, _} = Module.create(name, function, file: file, line: 1)
      write.(name, binary)
    rescue
      error -> send(self(), {:failed, file, Exception.message(error)})
    end
  end)

  receive do
    {:failed, file, message} ->
      IO.puts(:stderr, "#{Path.relative_to_cwd(file)}: does not run before the tests, " <>
                       "because it is no function of its own: #{message}")
      nil
  after
    0 -> name
  end
end

# Those that only a test requires have run when it was compiled.
is_other_helper = fn file -> Path.basename(file) == "test_helper.exs" and file not in helpers end
required = Enum.filter(Code.required_files(), is_other_helper)
without_modules = fn file -> Enum.reject(expressions.(file), &match?({:defmodule, _, _}, &1)) end
helped = helped ++ for file <- required, do: {file, without_modules.(file)}

names = helped |> Enum.with_index(1) |> Enum.map(make_function) |> Enum.reject(&is_nil/1)

unless names == [] do
  body = for name <- names, do: quote(do: unquote(name).run())
  run = quote(do: def(run, do: unquote({:__block__, [], body})))
  {:module, module, binary, _} = Module.create(:ravel_exunit_helper, run, Macro.Env.location(__ENV__))
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
  for (fs::directory_iterator entry(*root / "lib", problem), end; !problem && entry != end;
       entry.increment(problem)) {
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
                                      const std::string& output_folder,
                                      std::span<const std::string> code_folders,
                                      const MixConfiguration& configuration) {
  const std::string script = output_folder + "/compile.exs", listing = output_folder + "/modules.txt";
  std::ofstream(script) << kCompileScript;
  std::vector<std::string> command = {elixir.program()};
  for (const std::string& folder : code_folders) command.insert(command.end(), {"-pa", folder});
  std::string applications;
  for (const std::string& name : configuration.applications)
    applications += (applications.empty() ? "" : ",") + name;
  command.insert(command.end(), {script, output_folder, listing, configuration.environment, applications,
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
    return Error{run.error().message +
                 " It compiles .ex and .exs files: install Elixir (on Debian and Ubuntu: the package "
                 "elixir), or give compiled .beam files."};
  if (run->exit_status != 0) {
    if (!run->output.empty()) return Error{std::move(run->output)};
    return Error{command.front() + ": failed with status " + std::to_string(run->exit_status) +
                 " and said nothing."};
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
      return Error{module.beam +
                   ": Elixir did not write this file, but did not say why. It printed: " + compiled.messages};
    compiled.modules.push_back(std::move(module));
  }
  // The compiler works on several files at a time, so its own order is not always the same.
  const auto position = [&](const CompiledElixirModule& module) {
    return std::ranges::find(files, module.file) - files.begin();
  };
  std::ranges::stable_sort(compiled.modules,
                           [&](const CompiledElixirModule& a, const CompiledElixirModule& b) {
                             return position(a) != position(b) ? position(a) < position(b) : a.name < b.name;
                           });
  return compiled;
}

}  // namespace ravel::erlang
