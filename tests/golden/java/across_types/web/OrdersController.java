package shop.web;

import shop.api.Paths;

@RestController
@RequestMapping(Paths.ORDERS)
public class OrdersController extends Crud<Order> {
    @GetMapping
    public List<Order> list() { return null; }
}
