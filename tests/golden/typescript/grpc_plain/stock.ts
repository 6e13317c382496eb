import { Controller } from '@nestjs/common';
import { ClientGrpc, GrpcMethod } from '@nestjs/microservices';
import { PricesClient } from './gen/prices_grpc_pb';

@Controller()
export class StockController {
  @GrpcMethod('StockService', 'Count')
  count(item: Item): Level {
    return null;
  }
}

const prices = new PricesClient('prices:50051', credentials.createInsecure());

export async function reorder(item: Item) {
  await prices.quote(item);
}
