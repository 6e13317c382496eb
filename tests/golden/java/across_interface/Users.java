class Users {
	private final Http http;

	Users(Http http) { this.http = http; }

	String name(String id) { return http.get("/users/" + id + "/name", String.class); }
}
