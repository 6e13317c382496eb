@SpringBootApplication
public class Orders {
    @GetMapping("/health")
    public String health() {
        return "up";
    }
}
