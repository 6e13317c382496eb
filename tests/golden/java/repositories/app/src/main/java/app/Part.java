package app;

public class Part {
    public String text() { return "own"; }
}
