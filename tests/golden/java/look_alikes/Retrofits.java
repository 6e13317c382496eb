import retrofit2.Call;

interface Retrofits {
    @Named("users/not")
    Call<User> named();

    @Headers({"GET: /not/a/call"})
    Call<User> headers();

    Call<User> get(String path);
}

class Factory {
    Object create(ObjectFactory factory) { return factory.create(Retrofits.class); }
}
