object RequestTests extends TestSuite {
  val tests = Tests {
    test("get") {
      val response = get("/x")
      assert(response.status == 200)
    }
  }

  val sum = {
    val a = 1
    var b = 2
    a + b
  }

  def run(): Int = {
    val inner = 1
    def help(x: Int): Int = x + inner
    help(2)
  }
}
