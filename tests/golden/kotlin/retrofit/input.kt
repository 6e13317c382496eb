package shop

import retrofit2.http.GET

interface Users {
    @GET("users/{id}")
    suspend fun get(@Path("id") id: Long): User

    @Headers("A: b")
    @POST("users")
    suspend fun create(@Body user: User): User

    @Deprecated("users/nothing")
    fun unrelated()
}
