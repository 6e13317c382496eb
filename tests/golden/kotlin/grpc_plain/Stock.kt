package stock

class StockService : StockGrpcKt.StockCoroutineImplBase() {
    override suspend fun count(request: Item): Level = Level.getDefaultInstance()

    private fun cached(item: Item): Level? = null
}

class Reorder(channel: ManagedChannel) {
    private val prices = PricesGrpcKt.PricesCoroutineStub(channel)

    suspend fun run(item: Item) {
        prices.quote(item)
    }
}
