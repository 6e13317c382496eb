package shop;

@RestController
@RequestMapping("/api/orders")
public class OrderController {
    private static final String DETAIL = "/detail";

    @GetMapping
    public List<Order> list() { return null; }

    @GetMapping({"/{id}", "/by-id/{id:[0-9]+}"})
    public Order get(@PathVariable long id) { return map.get("/nothing"); }

    @PostMapping(value = "/new", consumes = "application/json")
    public Order create(@RequestBody Order order) { return order; }

    @RequestMapping(path = "{id}/cancel", method = {RequestMethod.POST, RequestMethod.PUT})
    public void cancel() { }

    @RequestMapping(value = DETAIL, method = RequestMethod.DELETE)
    public void detail() { }

    @PatchMapping(produces = "application/json")
    public void patch() { }

    @RequestMapping("/any/**")
    public void any() { }

    @Mapping("/nothing")
    public void unrelated() { }
}

@FeignClient("users")
interface Users {
    @GetMapping("/nothing-provided")
    User user();
}
