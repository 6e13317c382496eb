package a;

class Helper {
    private final Base base;

    Helper(Base base) {
        this.base = base;
    }

    int count() {
        return base.size(1);
    }
}
