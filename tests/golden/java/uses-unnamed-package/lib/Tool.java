public class Tool {
  public static void run() {}
}
