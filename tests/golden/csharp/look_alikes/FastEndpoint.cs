using FastEndpoints;

public class Cache {
	public string Get(string key) => "";
	public void Put(string key, int value) { }
	public void Fill() {
		Get("not/a/route");
		Put("not/a/route", 1);
	}
}

public class Handler : Endpoint<Request> {
	private readonly Cache cache;
	public override Task HandleAsync(Request request, CancellationToken token) {
		cache.Get("/not/a/route");
		return Resolve<Cache>().Delete("/not/a/route");
	}
}
