# Rooms are agents under a dynamic supervisor, found by a registry. `enter/1` looks first and then starts the room, as if
# nobody else could do the same in between; `enter_safely/1` takes the room of whoever was faster.
defmodule Rooms do
  def start_link do
    children = [
      {Registry, keys: :unique, name: Rooms.Names},
      {DynamicSupervisor, strategy: :one_for_one, name: Rooms.Supervisor}
    ]

    Supervisor.start_link(children, strategy: :one_for_all, name: Rooms)
  end

  def child_spec(_), do: %{id: Rooms, start: {Rooms, :start_link, []}, type: :supervisor}

  def enter(name) do
    case Registry.lookup(Rooms.Names, name) do
      [{room, _}] ->
        room

      [] ->
        {:ok, room} = start_room(name)
        room
    end
  end

  def enter_safely(name) do
    case start_room(name) do
      {:ok, room} -> room
      {:error, {:already_started, room}} -> room
    end
  end

  defp start_room(name) do
    options = [name: {:via, Registry, {Rooms.Names, name}}]
    spec = %{id: name, start: {Agent, :start_link, [fn -> [] end, options]}, restart: :temporary}
    DynamicSupervisor.start_child(Rooms.Supervisor, spec)
  end
end
