package shop;

import retrofit2.Retrofit;

class Clients {
    Users users() {
        return new Retrofit.Builder().baseUrl("http://users:8080/api/").build().create(Users.class);
    }
}
