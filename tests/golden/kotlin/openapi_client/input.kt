package gen
class StockApi(basePath: String = "http://stock/v1") : ApiClient(basePath) {
  fun addItemRequestConfig(i: Item): RequestConfig<Item> {
    return RequestConfig(method = RequestMethod.POST, path = "/items", body = i)
  }
}
