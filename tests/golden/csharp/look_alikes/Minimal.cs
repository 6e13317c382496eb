public class Mapper {
	public void MapGet(string key) { }
	public void All(AutoMapper m) {
		MapGet("/not/a/route");
		m.MapPost("/not/a/route");
		m.MapGet("/a/key", "/a/value");
	}
}
