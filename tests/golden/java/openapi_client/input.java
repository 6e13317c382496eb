package gen.api;
public class UsersApi {
  private ApiClient localVarApiClient;
  public Call getUserCall(String id) {
    String localVarPath = "/users/{id}".replace("{" + "id" + "}", localVarApiClient.escapeString(id));
    return localVarApiClient.buildCall(basePath, localVarPath, "GET", null, null);
  }
  public void dropUser(String id) {
    localVarApiClient.invokeAPI("/users/{id}", HttpMethod.DELETE, null, null);
  }
}
class ApiClient {
  private String basePath = "http://accounts/v3";
}
