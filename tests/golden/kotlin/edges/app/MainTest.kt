package com.acme.app

class MainTest {
    @Test
    fun runs() {
        Service(UserRepo.open()).run("2")
        main()
    }
}
