# ravel check counter.ex counter_test.exs --preemptions 1
#
# expect: CounterTest:test a client alone pass
# expect: CounterTest:test two clients that increment assertion
# expect: CounterTest:test two clients that add pass
#
# The second one fails when both clients have read 0 before the first of them writes: left: 1, right: 2.
defmodule CounterTest do
  use ExUnit.Case, async: true

  setup do
    {:ok, counter: start_supervised!({Counter, []})}
  end

  test "a client alone", %{counter: counter} do
    Counter.increment(counter)
    assert Counter.value(counter) == 1
  end

  test "two clients that increment", %{counter: counter} do
    both(fn -> Counter.increment(counter) end)
    assert Counter.value(counter) == 2
  end

  test "two clients that add", %{counter: counter} do
    both(fn -> Counter.add(counter, 1) end)
    assert Counter.value(counter) == 2
  end

  defp both(work) do
    tasks = [Task.async(work), Task.async(work)]
    Task.await_many(tasks, :infinity)
  end
end
