object Tasks {
  def publish(): Unit = ()
}
