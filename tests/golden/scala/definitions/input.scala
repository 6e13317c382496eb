package com.acme.shop

import com.acme.db.{UserRepo, Other => O}

/** Somebody who buys. */
@deprecated("no", "1")
case class User(id: String, private val name: String = "x") extends Entity(id) with Named {
  val label: String = "x"
  private var n = 0
  lazy val (p, q) = pair
  type Id = String

  def this(id: String) = this(id, "")

  // Says hello.
  override def greet(other: User)(implicit ec: Ctx): List[String] = {
    val local = new UserRepo()
    def helper(x: Int) = x + 1
    local.find(other.id)
  }

  private def secret = 1
  def +(other: User): User = this
  def `odd name`: Int = 1
}

object User {
  val Max = 3
  def of(s: String) = User(s)
}

sealed trait Shape {
  def area: Double
  val sides: Int
}

package object util { def x = 1 }

enum Color(val rgb: Int):
  case Red extends Color(1)
  case Mix(a: Int)
  def mixed = this

given ordering: Ordering[User] with
  def compare(x: User, y: User) = 0

extension (s: String)
  def shout: String = s.toUpperCase

def top[T <: Named](x: T): Unit = println(x)
val z = 3
