class Members {
    int total(Order order) {
        order.lines.total = Limits.MAX + order.count;
        outer.inner.go();
        label:
        for (;;) break label;
        return this.sum + sum + order.lines().size;
    }
}
