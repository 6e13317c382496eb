namespace Web;

public class CatalogClient(HttpClient http)
{
    public Task<string> Items() => http.GetStringAsync("/items");
}
