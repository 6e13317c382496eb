package shop;

import kong.unirest.Unirest;

class Calls {
    String user(String id) { return Unirest.get(Urls.USERS + "/users/{id}").routeParam("id", id).asString().getBody(); }

    void add(User user) { new Poster().post("/users", user); }
}

class Poster {
    void post(String path, Object body) { Unirest.post(Urls.USERS + path).body(body).asEmpty(); }
}
