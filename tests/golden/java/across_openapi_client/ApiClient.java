package gen;
public class ApiClient {
  protected String basePath = "http://accounts/v3";
  public <T> T invokeAPI(String path, String method, Object query, Object body, Object type) { return null; }
}
