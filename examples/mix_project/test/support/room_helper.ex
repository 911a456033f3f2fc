defmodule RoomHelper do
  def names(room), do: for({name, _} <- Room.messages(room), do: name)
end
