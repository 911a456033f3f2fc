# What the standard library is used for, without races: prints the same under `elixir` and under `ravel run`.
defmodule Features.Shape do
  defstruct name: "none", sides: 0
end

defprotocol Features.Area do
  @fallback_to_any true
  def area(shape)
end

defimpl Features.Area, for: Features.Shape do
  def area(%{sides: sides}), do: sides * sides
end

defimpl Features.Area, for: Any do
  def area(_), do: :unknown
end

defmodule Features.Stack do
  use GenServer
  def start_link(list, opts \\ []), do: GenServer.start_link(__MODULE__, list, opts)
  @impl true
  def init(list), do: {:ok, list, {:continue, :more}}
  @impl true
  def handle_continue(:more, list), do: {:noreply, [:first | list]}
  @impl true
  def handle_call(:pop, _from, [head | tail]), do: {:reply, head, tail}
  def handle_call({:later, x}, from, list) do
    GenServer.reply(from, {:ok, x})
    {:noreply, list}
  end
  @impl true
  def handle_cast({:push, x}, list), do: {:noreply, [x | list]}
  @impl true
  def handle_info({:info, from}, list) do
    send(from, {:list, list})
    {:noreply, list}
  end
end

defmodule Features do
  def main do
    :logger.set_primary_config(:level, :none)

    Enum.each(
      [:values, :text, :collections, :protocols, :errors, :processes, :servers, :agents, :tasks, :registries, :supervisors],
      fn part ->
        IO.puts("== #{part}")
        apply(__MODULE__, part, [])
      end
    )
  end

  defp show(value), do: IO.inspect(value, limit: :infinity, charlists: :as_lists)

  def values do
    show(%Features.Shape{sides: 3})
    show([a: 1, b: 2.5, c: nil])
    show(%{1 => "x", :k => <<1, 2, 3::4>>, "s" => 'ab'})
    show({1..3, 1..9//2, MapSet.new([3, 1, 2]), ~r/a+b/i})
    show(Integer.parse("12x"))
    show(Float.parse("1.5e3 rest"))
    show(Float.round(2.34567, 2))
    show({Integer.digits(1234), Integer.gcd(12, 18), Integer.pow(3, 40)})
    show(for(x <- 1..4, y <- [:a, :b], rem(x, 2) == 0, do: {x, y}))
    show(for(<<c <- "abc">>, into: "", do: <<c + 1>>))
    show(with {:ok, a} <- {:ok, 1}, {:ok, b} <- {:error, 2} do a + b else {:error, e} -> {:else, e} end)
    show(Keyword.merge([a: 1, b: 2], b: 3, c: 4))
    show(get_in(%{a: [%{b: 5}]}, [:a, Access.at(0), :b]))
    show(~D[2024-02-28] |> Date.add(2) |> Date.to_iso8601())
    show(NaiveDateTime.diff(~N[2024-01-02 00:00:00], ~N[2024-01-01 12:00:00]))
    show(URI.parse("http://example.com:8080/a?b=c#d").port)
    show(Base.encode64("hello") |> Base.decode64!())
    show(:erlang.phash2({:a, "b"}))
    show(Version.match?("1.2.3", "~> 1.2"))
    show(Bitwise.band(12, 10))
  end

  def text do
    show(String.upcase("héllo wörld"))
    show(String.split("a,b;c", [",", ";"]))
    show(String.graphemes("e\u0301a👨‍👩‍👧"))
    show(String.pad_leading("7", 3, "0"))
    show(String.replace("banana", ~r/an/, "<\\0>"))
    show(Regex.named_captures(~r/(?<k>\w+)=(?<v>\d+)/, "x=12"))
    show(String.to_integer("42") |> Integer.to_string(2))
    show(String.jaro_distance("martha", "marhta"))
    show("abc" <> <<0>>)
    show(inspect("quoted \"x\" \n"))
    show(to_string([104, 105]))
    show(:io_lib.format("~p ~s", [:a, "b"]) |> IO.iodata_to_binary())
    IO.puts(["iodata ", ?x, ["nested"]])
    IO.write("no newline\n")
  end

  def collections do
    show(Enum.map_reduce(1..3, 0, &{&1 * 2, &1 + &2}))
    show(Enum.group_by(1..6, &rem(&1, 3)))
    show(Enum.chunk_every(1..7, 3))
    show(Enum.sort_by([{1, :b}, {0, :a}], &elem(&1, 1)))
    show(Enum.zip([1, 2], ["a", "b"]))
    show(Enum.reduce_while(1..100, 0, fn x, acc -> if acc > 10, do: {:halt, acc}, else: {:cont, acc + x} end))
    show(Stream.iterate(1, &(&1 * 2)) |> Stream.reject(&(&1 == 4)) |> Enum.take(5))
    show(Stream.unfold(5, fn 0 -> nil; n -> {n, n - 1} end) |> Enum.to_list())
    show(Map.new(1..40, &{&1, &1 * &1}) |> Map.fetch!(7))
    show(Map.update(%{a: 1}, :a, 0, &(&1 + 1)))
    show(MapSet.union(MapSet.new([1]), MapSet.new([2])) |> MapSet.size())
    show(Enum.frequencies(~w(a b a)))
    show(List.foldr([1, 2, 3], [], &[&1 | &2]))
    show(Enum.into(%{a: 1}, [], fn {k, v} -> {v, k} end))
    show(Tuple.append({1}, 2))
  end

  def protocols do
    show(Features.Area.area(%Features.Shape{sides: 4}))
    show(Features.Area.area(17))
    show(Enumerable.impl_for(%{}))
    show(to_string(:atom))
    show(Enum.count(%Features.Shape{} |> Map.from_struct()))
  end

  def errors do
    show(try do raise "oops" rescue e -> e end)
    show(try do raise ArgumentError, "bad" rescue e in [ArgumentError] -> Exception.message(e) end)
    show(try do throw(:x) catch :throw, x -> {:caught, x} end)
    show(try do exit(:bye) catch kind, x -> {kind, x} end)
    show(try do Map.fetch!(%{a: 1}, :b) rescue e -> Exception.message(e) end)
    show(try do String.to_integer("x") rescue e -> Exception.message(e) end)
    show(try do hd([]) rescue e -> Exception.message(e) end)
    show(try do Features.missing(1) rescue e -> Exception.message(e) end)
    show(try do case_of(3) rescue e -> Exception.message(e) end)
    show(try do one(2) rescue e -> e.__struct__ end)
    show(try do 1 + id(:a) rescue e -> e end)
    show(try do %{id(nil) | a: 1} rescue e -> e end)
    show(try do Exception.blame(:error, :badarg, []) |> elem(0) rescue e -> e end)
    show(try do raise "trace" rescue _ -> hd(__STACKTRACE__) |> elem(0) end)
    show(Exception.format(:exit, {:noproc, {GenServer, :call, [:x, :y, 5000]}}, []))
  end

  def id(x), do: x
  defp one(1), do: :ok
  defp case_of(x), do: (case id(x) do 1 -> :one end)

  def processes do
    me = self()
    pid = spawn_link(fn -> receive do {:hi, from} -> send(from, :hello) end end)
    send(pid, {:hi, me})
    show(receive do m -> m after 1000 -> :timeout end)
    {pid, ref} = spawn_monitor(fn -> exit({:shutdown, :done}) end)
    show(receive do {:DOWN, ^ref, :process, ^pid, reason} -> reason end)
    Process.flag(:trap_exit, true)
    pid = spawn_link(fn -> exit(:reason) end)
    show(receive do {:EXIT, ^pid, reason} -> reason end)
    Process.flag(:trap_exit, false)
    Process.put(:key, 1)
    show({Process.get(:key), Process.alive?(self()), Process.whereis(:nobody)})
    timer = Process.send_after(self(), :tick, 1)
    show(receive do :tick -> is_reference(timer) end)
    show(Process.cancel_timer(Process.send_after(self(), :never, 100_000)) |> is_integer())
  end

  def servers do
    {:ok, pid} = Features.Stack.start_link([1, 2])
    show(GenServer.call(pid, :pop))
    GenServer.cast(pid, {:push, :x})
    show(GenServer.call(pid, :pop))
    show(GenServer.call(pid, {:later, 5}))
    send(pid, {:info, self()})
    show(receive do {:list, list} -> list end)
    show(:sys.get_state(pid))
    show(GenServer.stop(pid))
    show(catch_exit(fn -> GenServer.call(:nobody, :x) end))
    {:ok, _} = GenServer.start(Features.Stack, [], name: Features.Named)
    show(GenServer.call(Features.Named, :pop))
    show(GenServer.whereis(Features.Named) |> is_pid())
    show(GenServer.stop(Features.Named, :normal))
  end

  defp catch_exit(fun) do
    fun.()
  catch
    :exit, reason -> reason
  end

  def agents do
    {:ok, agent} = Agent.start_link(fn -> %{n: 0} end, name: Features.Agent)
    Agent.update(agent, &Map.put(&1, :n, &1.n + 1))
    show(Agent.get(Features.Agent, & &1))
    show(Agent.get_and_update(agent, &{&1.n, %{&1 | n: 10}}))
    Agent.cast(agent, fn s -> %{s | n: 11} end)
    show(Agent.get(agent, & &1.n))
    show(Agent.stop(agent))
  end

  def tasks do
    show(Task.async(fn -> 1 + 1 end) |> Task.await())
    show(1..3 |> Enum.map(&Task.async(fn -> &1 * &1 end)) |> Task.await_many())
    show(Task.async_stream(1..4, &(&1 + 1), max_concurrency: 2) |> Enum.to_list())
    {:ok, sup} = Task.Supervisor.start_link()
    show(Task.Supervisor.async(sup, fn -> :supervised end) |> Task.await())
    task = Task.Supervisor.async_nolink(sup, fn -> exit(:failed) end)
    show(Task.yield(task))
    show(Task.async(fn -> Process.get(:"$callers") |> length() end) |> Task.await())
    Supervisor.stop(sup)
  end

  def registries do
    {:ok, _} = Registry.start_link(keys: :unique, name: Features.Unique)
    {:ok, _} = Registry.start_link(keys: :duplicate, name: Features.Topics)
    {:ok, pid} = GenServer.start(Features.Stack, [], name: {:via, Registry, {Features.Unique, "stack"}})
    show(GenServer.call({:via, Registry, {Features.Unique, "stack"}}, :pop))
    show(Registry.lookup(Features.Unique, "stack") == [{pid, nil}])
    show(Registry.register(Features.Unique, "stack", 1) |> elem(0))
    {:ok, _} = Registry.register(Features.Topics, :news, :value)
    Registry.dispatch(Features.Topics, :news, fn entries -> for {p, v} <- entries, do: send(p, {:got, v}) end)
    show(receive do m -> m end)
    show(Registry.count(Features.Topics))
    show(Registry.keys(Features.Topics, self()))
    GenServer.stop(pid)
  end

  def supervisors do
    children = [
      %{id: :stack, start: {Features.Stack, :start_link, [[7], [name: Features.Supervised]]}},
      {Agent, fn -> :state end}
    ]
    {:ok, sup} = Supervisor.start_link(children, strategy: :one_for_one)
    show(Enum.sort(Supervisor.count_children(sup)))
    before = Process.whereis(Features.Supervised)
    ref = Process.monitor(before)
    Process.exit(before, :kill)
    show(receive do {:DOWN, ^ref, _, _, reason} -> reason end)
    show(wait_for_other(before) != before)
    {:ok, dynamic} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, child} = DynamicSupervisor.start_child(dynamic, {Agent, fn -> 1 end})
    show(Agent.get(child, & &1))
    show(Enum.sort(DynamicSupervisor.count_children(dynamic)))
    show(DynamicSupervisor.terminate_child(dynamic, child))
    show(Supervisor.stop(dynamic))
    show(Supervisor.stop(sup))
  end

  defp wait_for_other(pid) do
    case Process.whereis(Features.Supervised) do
      other when is_pid(other) and other != pid -> other
      _ -> :timer.sleep(1); wait_for_other(pid)
    end
  end
end
