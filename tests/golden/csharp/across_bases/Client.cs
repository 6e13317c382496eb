using System;
using System.Net.Http;

class Client
{
    private readonly HttpClient http = new HttpClient();
    private readonly string host, path;

    public Client(string host, string path = "/control")
    {
        this.host = host;
        if (!path.EndsWith("/"))
            path += "/";
        this.path = path;
    }

    public void Users() { http.GetAsync("http://" + host + path + "users"); }

    public void Parts() { http.DeleteAsync(new UriBuilder("http", host, 80, "/parts").Uri); }
}
