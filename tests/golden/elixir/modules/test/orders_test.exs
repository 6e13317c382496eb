defmodule Shop.OrdersTest do
  use ExUnit.Case
  alias Shop.Orders

  test "gets one" do
    assert Orders.get(1)
    Shop.Orders.all()
  end
end
