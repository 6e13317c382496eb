import { Inject, Injectable } from '@nestjs/common';
import { ClientProxy } from '@nestjs/microservices';
import { CREATED, Patterns } from './names';

@Injectable()
export class OrdersService {
  constructor(@Inject('ORDERS') private readonly client: ClientProxy) {}

  create() {
    this.client.emit(CREATED, {});
    return this.client.send({ cmd: Patterns.Sum }, [1]);
  }
}
