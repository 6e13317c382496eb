fun dependencies() {
  api("x")
}
