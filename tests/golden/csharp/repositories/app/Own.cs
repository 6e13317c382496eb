namespace App;

public class Event {
    public string Text(int n) => "own";
}

public static class OwnExtensions {
    public static string Twice(this int n) => "";
}
