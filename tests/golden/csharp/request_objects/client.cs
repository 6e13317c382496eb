using System.Net.Http;
interface IApiRequest { HttpMethod Method { get; } string Path { get; } }
class GetUser : IApiRequest {
    private readonly int id;
    public GetUser(int id) { this.id = id; }
    public HttpMethod Method => HttpMethod.Get;
    public string Path => $"/users/{id}";
}
class CreateUser : IApiRequest {
    public HttpMethod Method => HttpMethod.Post;
    public string Path => "/users";
}
class Api {
    private readonly HttpClient http = new HttpClient();
    Task Send(IApiRequest r) => http.SendAsync(new HttpRequestMessage(r.Method, r.Path));
    public Task GetUser(int id) => Send(new GetUser(id));
    public Task CreateUser() => Send(new CreateUser());
}
