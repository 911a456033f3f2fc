# Every form that an ExUnit case may have; the ones named "fails" fail, in `elixir` and in `ravel check` alike.
defmodule FormsTest do
  use ExUnit.Case, async: true
  import ExUnit.CaptureIO
  doctest FormsHelper

  @moduletag :forms

  setup_all do
    {:ok, agent: start_supervised!({Agent, fn -> :from_setup_all end}), owner: self()}
  end

  setup context do
    on_exit(fn -> send(context.owner, :over) end)
    [name: context.test, first: true]
  end

  setup :more

  defp more(%{first: true}), do: %{second: true}

  test "has a context", context do
    assert context.second
    assert context.name == :"test has a context"
    assert context.case == __MODULE__
    assert context.forms
    assert Agent.get(context.agent, & &1) == :from_setup_all
    refute context.owner == self()
  end

  describe "a group" do
    setup [:more]
    setup do: {:ok, group: 1}
    @tag deep: [1, 2]
    test "has its own setup and tags", %{group: 1, deep: [1, 2], describe: describe} do
      assert describe == "a group"
    end
  end

  @tag :skip
  test "is skipped", do: flunk("never run")

  @tag skip: "because"
  test "is skipped for a reason", do: flunk("never run")

  test "receives" do
    send(self(), {:hello, 1})
    assert_receive {:hello, n}
    assert n == 1
    send(self(), :now)
    assert_received :now
    refute_received :never
    refute_receive :never, 1
  end

  test "captures output" do
    assert capture_io(fn -> IO.puts("inside") end) == "inside\n"
  end

  test "captures what others print" do
    assert capture_io(:stderr, fn -> IO.puts(:stderr, "an error") end) == "an error\n"
    assert capture_io(:user, fn -> spawn_link(fn -> IO.puts(:user, "in") end) |> Process.monitor() |> gone() end) == "in\n"
    assert Process.whereis(:standard_error) != nil
    assert :user in Process.registered()
  end

  defp gone(monitor), do: assert_receive({:DOWN, ^monitor, _, _, _})

  @tag :tmp_dir
  test "has a folder", %{tmp_dir: folder} do
    assert Path.relative_to_cwd(folder) == "tmp/FormsTest/test-has-a-folder-04467a77"
    assert File.ls!(folder) == []
    file = Path.join(folder, "a")
    File.touch!(file)
    File.cp!(file, Path.join(folder, "b"))
    File.chmod!(file, 0o600)
    File.touch!(file, {{2020, 1, 2}, {3, 4, 5}})
    assert %{size: 0, mtime: {{2020, 1, 2}, {3, 4, 5}}, mode: 0o100600} = File.stat!(file)
    File.write!(file, "changed")
    assert %{size: 7, mtime: {{year, _, _}, _}} = File.stat!(file)
    assert year > 2020
    File.cp_r!(folder, folder <> "-copy")
    assert File.ls!(folder <> "-copy") |> Enum.sort() == ["a", "b"]
    File.rm_rf!(folder <> "-copy")
  end

  @tag tmp_dir: "below"
  test "has a folder below that", %{tmp_dir: folder} do
    assert Path.basename(folder) == "below"
  end

  test "fails for want of another folder", context, do: assert(context.tmp_dir)

  test "has an environment" do
    assert System.get_env("RAVEL_FORMS") == nil
    System.put_env("RAVEL_FORMS", "yes")
    assert System.get_env("RAVEL_FORMS") == "yes"
    assert System.get_env()["RAVEL_FORMS"] == "yes"
    System.delete_env("RAVEL_FORMS")
    assert System.fetch_env("RAVEL_FORMS") == :error
  end

  test "raises and catches" do
    assert_raise ArgumentError, "bad", fn -> raise ArgumentError, "bad" end
    assert catch_exit(exit(:x)) == :x
    assert catch_throw(throw(:y)) == :y
    assert_in_delta 1.0, 1.05, 0.1
    assert {:ok, _} = {:ok, 1}
    assert "abc" =~ ~r/b/
  end

  test "exits with shutdown", do: exit(:shutdown)

  test "fails in a match", do: assert({:ok, _} = {:error, 1})
  test "fails in a comparison", do: assert(1 + 1 == 3)
  test "fails by an exception", do: raise("boom")
  test "fails by an exit", do: exit(:gone)
  test "fails by a throw", do: throw(:ball)
  test "fails by flunk", do: flunk("said so")
  test "fails by a link", do: Task.await(Task.async(fn -> exit(:linked) end))
  test "fails in setup: no such key", context, do: context.missing
end

defmodule BadSetupTest do
  use ExUnit.Case

  setup do
    raise "no setup"
  end

  test "fails", do: :ok
end

defmodule BadSetupAllTest do
  use ExUnit.Case
  setup_all do: raise("no setup_all")
  test "fails", do: :ok
end

defmodule BadExitTest do
  use ExUnit.Case

  test "fails afterwards" do
    on_exit(fn -> raise "too late" end)
  end
end
