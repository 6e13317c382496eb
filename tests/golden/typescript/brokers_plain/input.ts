import { Channel } from 'amqplib';
import Redis from 'ioredis';
import { NatsConnection } from 'nats';
import { Consumer, Producer } from 'kafkajs';

export class Bus {
  private readonly cache = new Redis();

  constructor(private readonly channel: Channel, private readonly nc: NatsConnection, private readonly events: Producer) {}

  async run(orders: Consumer) {
    this.channel.publish('events', 'orders.created', Buffer.from('x'));
    this.channel.consume('billing', () => undefined);
    await this.cache.rpush('votes', 'x');
    this.nc.publish('stock.low');
    await this.events.send({ topic: 'payments', messages: [] });
    await orders.subscribe({ topic: 'payments' });
  }
}
