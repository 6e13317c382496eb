class QueryType < GraphQL::Schema::Object
  field :orders, [OrderType], null: false

  def orders
    Order.all
  end
end

class ShopSchema < GraphQL::Schema
  query(QueryType)
end
