namespace Jobs;

public class CatalogClient(HttpClient http)
{
    public Task<string> All() => http.GetStringAsync("/all");
}
