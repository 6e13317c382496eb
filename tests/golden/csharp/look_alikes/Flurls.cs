using Flurl;

public class Flurls {
	public async Task All(Repository repository, Url url) {
		await repository.GetAsync();
		await repository.Items.DeleteAsync();
		url.AppendPathSegment("not/a/call");
		"not/a/call".ToLower().GetHashCode();
		await queue.PostAsync();
	}
}
