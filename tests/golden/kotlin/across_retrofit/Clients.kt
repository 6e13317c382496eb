package shop

import retrofit2.Retrofit

class Clients {
    private val retrofit = Retrofit.Builder()
        .baseUrl("http://users:8080/api/")
        .build()

    val users: Users = retrofit.create(Users::class.java)
    val orders: Orders = Retrofit.Builder().baseUrl("http://orders").build().create<Orders>()
}
