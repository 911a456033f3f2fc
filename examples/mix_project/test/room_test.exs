# In this folder: MIX_ENV=test mix compile, then: ravel check --preemptions 1 --after-infinite 5000
#
# expect: RoomTest:test a member can join pass
# expect: RoomTest:test tags reach the setup pass
# expect: RoomTest:test only so many can join pass
# expect: RoomTest:test messages of one speaker are in order pass
# expect: RoomTest:test messages of two speakers are in order assertion
# expect: RoomTest:doctest module Room (1) pass
# expect: RoomTest:test are captured pass
# expect: Rooms.LogTest:test a folder pass
#
# Who of two speaks first is not decided: the task may be first.
defmodule RoomTest do
  use ExUnit.Case, async: true
  import ExUnit.CaptureLog
  doctest Room

  setup_all do
    {:ok, limit: 1}
  end

  setup %{limit: limit} = context do
    room = start_supervised!({Room, limit: limit})
    on_exit(fn -> false = Process.alive?(room) end)
    {:ok, room: room, name: Map.get(context, :who, "ann")}
  end

  test "a member can join", %{room: room, name: name} do
    assert Room.join(room, name) == :ok
  end

  @tag who: "bob"
  test "tags reach the setup", %{name: name} do
    assert name == "bob"
  end

  test "only so many can join", %{room: room, limit: limit} do
    tasks = for n <- 1..2, do: Task.async(fn -> Room.join(room, n) end)
    results = Enum.map(tasks, &Task.await/1)
    assert Enum.count(results, &(&1 == :ok)) == limit
  end

  describe "messages" do
    setup %{room: room} do
      :ok = Room.join(room, "ann")
    end

    test "of one speaker are in order", %{room: room} do
      Room.say(room, "ann", "one")
      Room.say(room, "ann", "two")
      assert Room.messages(room) == [{"ann", "one"}, {"ann", "two"}]
    end

    test "of two speakers are in order", %{room: room} do
      Task.async(fn -> Room.say(room, "ann", "hello") end)
      Room.say(room, "bob", "hi")
      assert hd(RoomHelper.names(room)) == "bob"
    end
  end

  test "are captured" do
    require Logger
    assert capture_log(fn -> Logger.error("something") end) =~ "something"
  end

  @tag :slow
  test "is excluded by test_helper.exs" do
    Process.sleep(:infinity)
  end

  @tag skip: "not yet"
  test "is skipped" do
    flunk("not run")
  end
end
