package shop

import retrofit2.http.*

interface Users {
    @GET(Paths.USER)
    suspend fun get(@Path("id") id: Long): User

    @POST("users")
    suspend fun add(@Body user: User): User
}

interface Orders {
    @DELETE("orders/{id}")
    suspend fun drop(@Path("id") id: Long)
}
