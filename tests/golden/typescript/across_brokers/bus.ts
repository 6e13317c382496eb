import { Channel } from 'amqplib';
import { Consumer } from 'kafkajs';
import { NatsConnection } from 'nats';
import { cache, events } from './clients';
import { Names } from './names';

// redis
export async function run(channel: Channel, nc: NatsConnection, orders: Consumer) {
  channel.publish(Names.events, Names.created, Buffer.from('x'));
  await channel.bindQueue('billing', Names.events, Names.created);
  await cache.rpush(Names.votes, 'x');
  nc.publish(Names.created);
  await events.send({ topic: Names.topic, messages: [] });
  await orders.subscribe({ topic: Names.topic });
}
