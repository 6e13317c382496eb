using Microsoft.Azure.Functions.Worker;

// Triggers of other kinds, a parameter and a comment.
public class Azure {
	// [HttpTrigger(AuthorizationLevel.Function, "get", Route = "commented")]
	[Function("Queue")]
	public void Queue([QueueTrigger("orders")] string message) { }
	[Function("Timer")]
	public void Timer([TimerTrigger("0 * * * * *", RunOnStartup = true)] TimerInfo timer) { }
	public string Text(string HttpTrigger) => "[HttpTrigger(\"get\")]";
}
