package shop;

import org.springframework.web.bind.annotation.GetMapping;

abstract class Audited<T> extends CrudController<T> {
    @GetMapping("/{id}/history")
    public List<Change> history(@PathVariable long id) { return null; }

    @Override
    @GetMapping("/{id}/audited")
    public T get(@PathVariable long id) { return null; }
}
