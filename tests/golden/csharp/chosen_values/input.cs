using System.Net.Http;
class A {
    private readonly HttpClient http = new HttpClient();
    async Task Load(bool mode) {
        var url = mode ? "/cs/one" : "/cs/two";
        await http.GetAsync(url);
    }
    async Task Sw(int kind) {
        var url = kind switch { 1 => "/cs/three", _ => "/cs/four" };
        await http.GetAsync(url);
    }
}
