defmodule Room do
  @moduledoc """
  A room that holds only so many, and keeps what is said.

      iex> {:ok, room} = Room.start_link(limit: 1)
      iex> {Room.join(room, "ann"), Room.join(room, "bob")}
      {:ok, {:error, :full}}

  """
  use GenServer

  def start_link(options), do: GenServer.start_link(__MODULE__, options)
  def join(room, name), do: GenServer.call(room, {:join, name})
  def say(room, name, text), do: GenServer.cast(room, {:say, name, text})
  def messages(room), do: GenServer.call(room, :messages)

  @impl true
  def init(options), do: {:ok, %{limit: Keyword.get(options, :limit, 10), members: [], messages: []}}

  @impl true
  def handle_call({:join, name}, _from, state) do
    if length(state.members) < state.limit,
      do: {:reply, :ok, %{state | members: [name | state.members]}},
      else: {:reply, {:error, :full}, state}
  end

  def handle_call(:messages, _from, state), do: {:reply, Enum.reverse(state.messages), state}

  @impl true
  def handle_cast({:say, name, text}, state) do
    {:noreply, %{state | messages: [{name, text} | state.messages]}}
  end
end
