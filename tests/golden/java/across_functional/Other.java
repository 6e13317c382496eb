package app;
class Other {
  static RouterFunction<ServerResponse> routes(Handler h) {
    return RouterFunctions.route(RequestPredicates.GET("/o"), h::o);
  }
}
