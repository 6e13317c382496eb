require "bunny"
require "redis"
require "sidekiq"

class ShipOrder
  include Sidekiq::Job

  def perform(id)
    Redis.new.publish("shipped", id)
  end
end

class Orders
  CREATED = "orders.created"

  def create(id)
    ShipOrder.perform_async(id)
    @exchange.publish("x", routing_key: CREATED)
    @redis.rpush("votes", id)
  end

  def listen(channel, exchange)
    channel.queue("orders").subscribe { |_, _, body| body }
    channel.queue("mine").bind(exchange, routing_key: "orders.#")
    @redis.subscribe("shipped") { |on| on }
    Page.publish("home")
  end
end
