import { Controller } from '@nestjs/common';
import { ClientsModule, Payload } from '@nestjs/microservices';
import type { Channel } from 'amqplib';
import type { ClientProxy } from '@nestjs/microservices';
import { EventEmitter } from 'events';

class Bus {
  publish(...args: unknown[]) {
    return args;
  }
}

@Controller()
export class Others {
  private readonly bus = new Bus();
  private readonly emitter = new EventEmitter();

  constructor(private readonly channel: Channel, private readonly client: ClientProxy) {}

  all(mailer: { send(to: string, text: string): void }) {
    this.bus.publish('orders', 'orders.created', 1);
    this.emitter.emit('orders', {});
    mailer.send('orders', 'x');
    this.channel.assertQueue('orders');
    this.client.connect();
    return ClientsModule.register([{ name: 'ORDERS' }]);
  }
}
