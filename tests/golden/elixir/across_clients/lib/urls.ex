defmodule Shop.Urls do
  def users, do: "http://users:4000"
  def order(id), do: "http://orders/orders/#{id}"
end
