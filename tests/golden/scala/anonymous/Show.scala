package shop

trait Show {
  def show(): String
  def twice(): String = show() + show()
}

object Show {
  def apply(s: String): Show = new Show { def show(): String = render(s) }
}

class Use {
  def made(): String = Show("x").twice()
  def anonymous(): String = new Show { def show(): String = "y" }.twice()
}

def render(s: String): String = s
