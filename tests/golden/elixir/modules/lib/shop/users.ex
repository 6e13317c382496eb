defmodule Shop.Users.User do
  def name(order), do: Shop.Money.round_up(order.owner)
end
