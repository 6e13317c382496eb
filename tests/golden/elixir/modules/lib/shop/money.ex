defmodule Shop.Money do
  defmacro cents(x), do: x
  def round_up(x), do: x

  def round_up(x, places) when places > 0, do: x / places
end

defprotocol Shop.Priced do
  def price(thing)
end

defimpl Shop.Priced, for: Shop.Item do
  def price(item), do: item.cost
end
