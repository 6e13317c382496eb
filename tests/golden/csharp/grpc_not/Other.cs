using System.Net.Http;

namespace Shop.Other;

public class Other : Controller.ControllerBase
{
    private readonly HttpClient _http;
    private readonly Azure.BlobClient _blobs;

    public override Task Run(Request request) => null;

    public void Go()
    {
        _http.GetAsync("http://basket");
        _blobs.UploadAsync("x");
    }
}
