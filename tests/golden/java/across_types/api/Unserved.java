package shop.api;

public interface Unserved {
    @GetMapping("/nothing-provided")
    String get();
}
