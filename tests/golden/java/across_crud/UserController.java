package shop;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/users")
public class UserController extends Audited<User> {
    @GetMapping("/search/{page}")
    public List<User> search(@RequestParam String text, @PathVariable int page) { return null; }

    @Override
    @DeleteMapping("/{id}/now")
    public void remove(@PathVariable long id) { }
}
