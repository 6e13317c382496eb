defmodule Shop.Item do
  defstruct [:id, :cost]

  def load(order), do: %__MODULE__{id: order.id}
end

defmodule Shop.Other do
  def load(x), do: x
end
