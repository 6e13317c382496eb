package shop;

import retrofit2.Call;
import retrofit2.http.*;

interface Users {
    @GET(Paths.USER)
    Call<User> get(@Path("id") long id);

    @POST("users")
    Call<User> add(@Body User user);
}
