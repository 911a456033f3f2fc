# A counter whose clients read and then write: between the two, another client may write. `add/2` asks the server to do
# both at once.
defmodule Counter do
  use GenServer

  def start_link(options), do: GenServer.start_link(__MODULE__, 0, options)
  def value(counter), do: GenServer.call(counter, :value, :infinity)

  def increment(counter) do
    n = value(counter)
    GenServer.cast(counter, {:put, n + 1})
  end

  def add(counter, n), do: GenServer.call(counter, {:add, n}, :infinity)

  @impl true
  def init(n), do: {:ok, n}

  @impl true
  def handle_call(:value, _from, n), do: {:reply, n, n}
  def handle_call({:add, m}, _from, n), do: {:reply, :ok, n + m}

  @impl true
  def handle_cast({:put, n}, _), do: {:noreply, n}
end
