defmodule MixRavel.MixProject do
  use Mix.Project

  def project do
    [
      app: :mix_ravel,
      version: "0.1.0",
      elixir: "~> 1.14",
      description: "Checks the tests of a project with Ravel, under all schedules that matter",
      deps: []
    ]
  end

  def application, do: []
end
