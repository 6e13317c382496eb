import acme.Money

object Build {
  def all(): Unit = {
    Tasks.publish()
    Money.of(3)
  }
}
