mod names;

use lapin::{options::*, Channel};
use rdkafka::{consumer::StreamConsumer, producer::FutureRecord};

use crate::names::{CREATED, EXCHANGE};

async fn run(channel: Channel, consumer: StreamConsumer, client: async_nats::Client) {
    channel.queue_bind("billing", EXCHANGE, CREATED, options(), table()).await;
    channel.basic_publish(EXCHANGE, CREATED, options(), b"x", properties()).await;
    consumer.subscribe(&[CREATED]).unwrap();
    let record = FutureRecord::to(CREATED).payload("x");
    client.publish(CREATED, "x".into()).await;
}
