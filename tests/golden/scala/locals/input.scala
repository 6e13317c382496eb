package l

class Holder(box: Box, val kept: Kept) {
  private var late: Late = _
  lazy val made = new Maker
  def work(input: Input, n: Int = 3)(implicit ctx: Ctx): Unit = {
    val maker = new Maker(1)
    var later: Option[Late] = None
    val (first, second) = maker.pair()
    for (item <- input.items; part = item.part if part.ok) item.run()
    val list = for { a <- maker.as; b <- a.bs } yield b.value()
    maker.kind match {
      case s: Special => s.only()
      case Pair(x, y) => x.go(y)
    }
    maker.list.foreach(each => each.use())
    maker.list.map { e => e.use() }
    maker.list.map(_.name)
    box.items(0).touch()
    try maker.go() catch { case e: Failure => e.show() }
    later.foreach { l => l.finish(first) }
    kept.done
    ctx.log(s"x ${maker.size()}")
  }
  def give = new Maker
  def giveTyped(): Late = late
}
