package stock

import io.grpc.ManagedChannel

class StockService extends StockGrpc.Stock {
  override def count(item: Item): Future[Level] = ???
}

class Reorder(channel: ManagedChannel) {
  private val prices = PricesGrpc.blockingStub(channel)

  def run(item: Item): Price = prices.quote(item)
}
