using Dapr.Client;

public class Daprs {
	public async Task All(DaprClient dapr, HubConnection hub, Proxy proxy) {
		await dapr.GetStateAsync<string>("store", "/not/a/call");
		await dapr.SaveStateAsync("store", "orders", 1);
		await hub.InvokeAsync("GetUser", "users", "/not/a/call");
		await proxy.InvokeMethodAsync("users", "get", "/not/a/call");
	}
}
