use lapin::options::*;
use rdkafka::ClientConfig;

/// What publishes and subscribes beside the brokers' own.
async fn others(page: Page, feed: Feed, bus: Bus, channel: lapin::Channel, config: async_nats::ConnectOptions) {
    page.publish("orders");
    feed.subscribe("orders");
    bus.send("orders", "x");
    channel.queue_declare("orders", options(), table()).await;
    channel.exchange_declare("events", kind(), options(), table()).await;
    ClientConfig::new().set("group.id", "orders");
    // nats.publish("orders", "x");
}
