using Microsoft.AspNetCore.Builder;
using System.Linq;

var app = WebApplication.Create();
var paths = new[] { "/c", "/d" };
foreach (var p in paths.Select(x => "/s" + x)) app.MapGet(p, () => p);
for (int i = 0; i < paths.Length; i++) app.MapGet("/i" + paths[i], () => 1);
paths.ToList().ForEach(p => app.MapGet("/l" + p, () => p));
