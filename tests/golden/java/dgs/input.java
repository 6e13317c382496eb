package com.example;

@DgsComponent
public class ShowsDataFetcher {
	@DgsQuery
	public List<Show> shows(@InputArgument String titleFilter) {
		return service.shows();
	}

	@DgsQuery(field = "show")
	public Show findShow(@InputArgument String id) {
		return service.show(id);
	}

	@DgsData(parentType = DgsConstants.QUERY.TYPE_NAME, field = "showCount")
	public int count() {
		return 1;
	}

	@DgsMutation
	public Show addShow(@InputArgument String title) {
		return service.add(title);
	}

	@DgsData(parentType = "Subscription", field = "showAdded")
	public Publisher<Show> added() {
		return service.added();
	}

	@DgsData(parentType = "Show", field = "reviews")
	public List<Review> reviews(DgsDataFetchingEnvironment env) {
		return List.of();
	}
}
