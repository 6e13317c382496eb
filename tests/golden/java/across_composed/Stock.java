package shop;
import org.springframework.web.bind.annotation.*;
@Internal
class Stock {
  @Search
  List<Item> find() { return null; }
  @Replace("/{sku}")
  void set(@PathVariable String sku) {}
  @Audited("/nothing")
  void helper() {}
  @GetMapping("/all")
  List<Item> all() { return null; }
}
