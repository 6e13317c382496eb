require "bunny"
require "kafka"
require "redis"
require "sidekiq"

# What publishes and subscribes beside the brokers' own.
class Others
  include Comparable

  def all(page, feed, line, box)
    page.publish("orders")
    feed.subscribe("orders")
    line.queue("orders")
    box.bind("orders")
    page.produce("orders")
    Redis.new.get("orders")
    Mailer.perform("orders")
    Sidekiq.logger.info("orders")
    # redis.publish("orders", "x")
  end
end
