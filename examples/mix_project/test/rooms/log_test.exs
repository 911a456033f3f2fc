defmodule Rooms.LogTest do
  use ExUnit.Case

  @tag :tmp_dir
  test "a folder", %{tmp_dir: folder} do
    File.write!(Path.join(folder, "log"), "x")
  end
end
