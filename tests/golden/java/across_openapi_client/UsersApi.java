package gen.api;
import gen.ApiClient;
public class UsersApi {
  private ApiClient apiClient;
  public UsersApi(ApiClient apiClient) { this.apiClient = apiClient; }
  public User getUser(String id) {
    String localVarPath = "/users/{id}".replaceAll("\\{" + "id" + "\\}", apiClient.escapeString(id));
    return apiClient.invokeAPI("UsersApi.getUser", localVarPath, "GET", null, null);
  }
  public void addUser(User u) {
    apiClient.invokeAPI("/users", HttpMethod.POST, null, u, null);
  }
}
