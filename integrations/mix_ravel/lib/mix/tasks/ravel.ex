defmodule Mix.Tasks.Ravel do
  @shortdoc "Finds concurrency bugs in the tests of the project"

  @moduledoc """
  Checks the tests of this project under all schedules that matter.

      $ mix ravel
      $ mix ravel -t 'RoomTest:two clients' --budget 60s

  The project is compiled for its tests first. All arguments are those of `ravel check`, and
  `ravel check --help` explains them. The exit status is Ravel's: 1 if there is a bug, 3 if a search
  was not complete.

  Arguments of every call, and where Ravel is, if it is not in `PATH`, are in `mix.exs`:

      def project do
        [ravel: [arguments: ["--budget", "60s"], executable: "/opt/ravel/bin/ravel"], ...]
      end
  """

  use Mix.Task

  @preferred_cli_env :test

  @impl true
  def run(arguments) do
    if Mix.env() != :test do
      Mix.raise("mix ravel checks what is built for tests: call it as MIX_ENV=test mix ravel.")
    end

    Mix.Task.run("compile")
    options = Mix.Project.config()[:ravel] || []
    name = options[:executable] || "ravel"

    case System.find_executable(name) do
      nil ->
        Mix.raise(
          "ravel is not installed: there is no program #{name} in PATH. Install its package, or " <>
            "name it in mix.exs: ravel: [executable: \"/path/to/ravel\"]."
        )

      ravel ->
        status = check(ravel, ["check"] ++ (options[:arguments] || []) ++ arguments)
        if status != 0, do: exit({:shutdown, status})
    end
  end

  # Without its standard output: Ravel writes to the terminal, or the file, of mix itself.
  defp check(ravel, arguments) do
    port = Port.open({:spawn_executable, ravel}, [:exit_status, :nouse_stdio, args: arguments])

    receive do
      {^port, {:exit_status, status}} -> status
    end
  end
end
