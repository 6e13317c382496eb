use lapin::{options::*, Channel};
use rdkafka::{consumer::StreamConsumer, producer::FutureRecord};

const CREATED: &str = "orders.created";

async fn run(channel: Channel, consumer: StreamConsumer, nats: async_nats::Client, map: Map) {
    channel.queue_bind("mine", "events", CREATED, options(), table()).await;
    channel.basic_publish("events", "orders.created", options(), b"x", properties()).await;
    consumer.subscribe(&["orders", "payments"]).unwrap();
    let record = FutureRecord::to("orders").payload("x");
    nats.subscribe("stock.>").await;
    nats.publish("stock.low", "x".into()).await;
    map.subscribe("nothing");
}
