package shop;

import java.util.List;

/**
 * Keeps orders.
 */
@Service
@Scope("x")
public class OrderService extends Base<Order> implements Store {
    public static final int LIMIT = 20;
    private final List<Order> orders, others;

    /** Made by the container. */
    @Autowired
    public OrderService(List<Order> orders) {
        this.orders = orders;
    }

    // Finds one.
    @Override
    @Nullable public <T> Order find(long id, Class<T> type) throws NotFound {
        Runnable r = () -> { int local = 1; };
        return null;
    }

    private void hidden() {
    }

    public interface Listener {
        void changed(Order order);
        int MAX = 3;
    }

    enum State { OPEN, CLOSED { @Override void go() { } }; void go() { } }

    public record Point(int x, int y) { }

    @Test
    void findsNothing() {
    }
}

@interface Marker {
    String value() default "";
}
