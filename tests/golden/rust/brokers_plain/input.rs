use lapin::{options::*, Channel};
use rdkafka::{consumer::StreamConsumer, producer::FutureRecord};

async fn run(channel: Channel, consumer: StreamConsumer, nats: async_nats::Client) {
    channel.queue_bind("billing", "events", "orders.created", options(), table()).await;
    channel.basic_consume("billing", "me", options(), table()).await;
    channel.basic_publish("events", "orders.created", options(), b"x", properties()).await;
    channel.basic_publish("", "billing", options(), b"x", properties()).await;
    consumer.subscribe(&["payments", "^audit-.*"]).unwrap();
    let record = FutureRecord::to("payments").payload("x");
    nats.subscribe("stock.>").await;
    nats.publish("stock.low", "x".into()).await;
}
