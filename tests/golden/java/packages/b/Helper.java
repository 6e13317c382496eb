package b;

class Helper {
    int count() {
        return 0;
    }
}
