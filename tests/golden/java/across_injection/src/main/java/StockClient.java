package shop;

@FeignClient(name = "stock-service", url = "${clients.stock.url}")
public interface StockClient {
    @GetMapping("/items/{id}")
    Item item(@PathVariable long id);
}
