package shop;

/** No RouteLocator, but paths and URIs. */
class Not {
  URI at(UriComponentsBuilder b) {
    return b.path("/users").uri(URI.create("http://users"));
  }
  void ask(WebClient c) {
    c.get().uri("/x").retrieve();
  }
}
