package app;

import org.junit.jupiter.api.Test;

class SumTest {
    private final Sum sum = new Sum();

    @Test
    void adds() {
        check(sum.add(1, 2));
    }

    private void check(int n) {
    }
}
