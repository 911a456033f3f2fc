# ravel check rooms.ex rooms_test.exs --preemptions 0 --after-infinite 5000
#
# expect: RoomsTest:test one guest abides pass
# expect: RoomsTest:test two guests enter abnormal_exit
# expect: RoomsTest:test two guests enter safely pass
#
# The second one fails when both guests have looked before one of them starts the room: the other one gets
# {:error, {:already_started, room}}, and `{:ok, room} =` does not match it.
defmodule RoomsTest do
  use ExUnit.Case

  setup do
    start_supervised!(Rooms)
    :ok
  end

  test "one guest abides" do
    assert Rooms.enter("hall") == Rooms.enter("hall")
  end

  test "two guests enter" do
    assert both(fn -> Rooms.enter("hall") end) == :same
  end

  test "two guests enter safely" do
    assert both(fn -> Rooms.enter_safely("hall") end) == :same
  end

  defp both(work) do
    [Task.async(work), Task.async(work)]
    |> Task.await_many(:infinity)
    |> then(fn [a, b] -> if a == b, do: :same, else: {a, b} end)
  end
end
