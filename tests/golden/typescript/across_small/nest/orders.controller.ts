import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { PATTERNS } from './patterns';

@Controller()
export class OrdersController {
  @EventPattern(PATTERNS.placed)
  placed(@Payload() order: Order) {
    return this.orders.add(order);
  }

  @MessagePattern({ cmd: PATTERNS.find })
  find(@Payload() id: string) {
    return this.orders.one(id);
  }
}
