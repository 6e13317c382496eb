package shop;

import retrofit2.Call;
import retrofit2.http.GET;

interface Users {
    String ROOT = "users";

    @GET("users/{id}")
    Call<User> get(@Path("id") long id);

    @Headers({"A: b"})
    @POST(ROOT)
    Call<User> create(@Body User user);

    @HTTP(method = "DELETE", path = "users/{id}", hasBody = true)
    Call<Void> remove(@Path("id") long id);

    @GET
    Call<User> next(@Url String url);

    @Deprecated("users/nothing")
    void unrelated();
}
