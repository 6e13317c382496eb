import { ClientProxy, EventPattern, MessagePattern } from '@nestjs/microservices';
export class A {
  constructor(@Inject('X') private readonly client: ClientProxy, private other: Other) {}
  @EventPattern('order_created')
  async created(data) {}
  @MessagePattern({ cmd: 'sum' })
  sum(data) { this.client.emit('order_created', data); this.client.send({ cmd: 'sum' }, data); this.other.emit('x', 1); }
}
