defmodule Shop.Order do
  defstruct [:id]

  # Makes one.
  def new(id) do
    %__MODULE__{id: id}
  end

  defp secret(x), do: x
  defmacro twice(x) do
    quote do: unquote(x)
  end
end

defmodule Seats do
  @type limit :: :unlimited | pos_integer()
  @opaque usage(a) :: %{organization: a}
  @max_seats 5
end

defprotocol Size do
  def size(data)
end
