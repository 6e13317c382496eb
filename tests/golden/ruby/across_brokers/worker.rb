require "bunny"
require "kafka"
require "redis"
require "sidekiq"
require_relative "names"
require_relative "ship_order"

class Worker
  def run(channel, kafka)
    redis = Redis.new
    redis.rpush(Names::VOTES, "x")
    redis.blpop(Names::VOTES)
    channel.queue(Names::CREATED).subscribe { |_, _, body| body }
    channel.default_exchange.publish("x", routing_key: Names::CREATED)
    kafka.deliver_message("x", topic: Names::CREATED)
    ShipOrder.perform_async(1)
  end
end
