package com.acme.db

trait Store[T] {
  def save(x: T): Boolean
  def close(): Unit = ()
}

abstract class BaseRepo(val url: String) {
  def connect(): String = url
}

case class User(id: String) {
  def label(): String = id
}

class UserRepo(url: String) extends BaseRepo(url) with Store[User] {
  override def connect(): String = super.connect()

  def save(x: User): Boolean = {
    log(x.label())
    this.connect()
    true
  }

  def find(id: String): Option[User] = None
  private def log(s: String): Unit = println(s)
}

object UserRepo {
  val Limit = 3
  def open(): UserRepo = new UserRepo("db")
}
