require "bunny"
require "kafka"
require "redis"
require "sidekiq"

class ShipOrder
  include Sidekiq::Job

  def perform(id)
    Redis.new.publish("shipped", id)
  end
end

redis = Redis.new(url: "redis://redis")
redis.rpush("votes", "x")
redis.blpop("votes")
redis.subscribe("notifications") { |on| on }
ShipOrder.perform_async(1)
channel = Bunny.new.start.create_channel
channel.queue("orders").subscribe { |_, _, body| body }
channel.topic("events").publish("x", routing_key: "orders.created")
channel.default_exchange.publish("x", routing_key: "orders")
kafka = Kafka.new(["kafka:9092"])
kafka.deliver_message("x", topic: "payments")
consumer = kafka.consumer(group_id: "g")
consumer.subscribe("payments")
