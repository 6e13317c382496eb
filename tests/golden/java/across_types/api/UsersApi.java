package shop.api;

@RequestMapping("/users")
public interface UsersApi {
    @GetMapping("/{id}")
    User get(@PathVariable long id);

    @PostMapping
    User create(@RequestBody User user);
}
