package shop.web;

public abstract class Crud<T> {
    @GetMapping(Paths.ONE)
    public T one(@PathVariable long id) { return null; }

    @DeleteMapping("/{id}")
    public void remove(@PathVariable long id) { }
}
