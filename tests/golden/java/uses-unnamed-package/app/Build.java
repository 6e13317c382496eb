import com.acme.Money;

class Build {
  void all() {
    Tool.run();
    Money.of(3);
  }
}
