using System.Net.Http; using System; using System.Linq;
class A { const string Base = "http://shop/api"; HttpClient c = new HttpClient();
void F1(string id) { c.GetAsync(string.Format("{1}/a16/{0}", id, Base)); }
void F2(string id) { c.GetAsync(String.Join("/", new List<string> { Base, "a23" })); }
}
