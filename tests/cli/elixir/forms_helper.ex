defmodule FormsHelper do
  @doc """
      iex> FormsHelper.twice(2)
      4
      iex> FormsHelper.twice([])
      ** (ArithmeticError) bad argument in arithmetic expression
  """
  def twice(x), do: 2 * x

  @doc """
      iex> FormsHelper.wrong()
      2
  """
  def wrong, do: 1
end
