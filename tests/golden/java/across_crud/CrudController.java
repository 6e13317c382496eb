package shop;

import org.springframework.web.bind.annotation.*;

public abstract class CrudController<T> {
    @GetMapping
    public List<T> list() { return null; }

    @GetMapping("/{id}")
    public T get(@PathVariable long id) { return null; }

    @GetMapping("/search")
    public List<T> search(@RequestParam String text) { return null; }

    @DeleteMapping("/{id}")
    public void remove(@PathVariable long id) { }
}
