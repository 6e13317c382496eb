using System.Net.Http; using System.Threading.Tasks; using System.Collections.Generic;
class Req { public string Path { get; set; } public HttpMethod Method { get; set; } }
class Api {
  HttpClient http;
  Task Send(Req r) { return http.SendAsync(new HttpRequestMessage(r.Method, "http://shop" + r.Path)); }
  Task Orders() { var r = new Req(); r.Path = "/orders"; r.Method = HttpMethod.Get; return Send(r); }
  Task Users() { var r = new Req { Method = HttpMethod.Post }; r.Path = "/users"; return Send(r); }
  Task Msg() { var m = new HttpRequestMessage(); m.Method = HttpMethod.Put; m.RequestUri = new System.Uri("http://shop/msg"); return http.SendAsync(m); }
  Task D() { var d = new Dictionary<string,string>(); d["path"] = "/d"; return http.GetAsync("http://shop" + d["path"]); }
}
