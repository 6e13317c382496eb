package look;
// invokeAPI and buildCall of other things
class OpenApiClients {
  void a(Plugins plugins, Phone phone) {
    plugins.invokeAPI("users/list", "reload");
    plugins.invokeAPI("GET");
    phone.buildCall("+49 30 1", Priority.HIGH, null);
  }
}
class ApiClient { String basePath = "/var/lib/clients"; }
