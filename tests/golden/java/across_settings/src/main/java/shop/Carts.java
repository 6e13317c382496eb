package shop;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("${api.prefix}" + Paths.ROOT)
class Carts {
    @GetMapping("/{id}")
    Cart one(@PathVariable long id) {
        return null;
    }
}

@RestController
class Items {
    @PostMapping(Paths.ITEMS)
    void add() {
    }
}
