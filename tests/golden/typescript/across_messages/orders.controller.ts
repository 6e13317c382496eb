import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { CREATED, Patterns } from './names';

@Controller()
export class OrdersController {
  @EventPattern(CREATED)
  created(data: unknown) {
    return data;
  }

  @MessagePattern({ cmd: Patterns.Sum })
  sum(numbers: number[]) {
    return numbers;
  }
}
