package com.acme.app

import com.acme.db.{User => Person, UserRepo}

class Service(repo: UserRepo) {
  def run(id: String): Unit = {
    val made = new UserRepo("x")
    made.save(Person("a"))
    repo.connect()
    repo.close()
    helper(id)
    for (u <- repo.find(id)) u.label()
    println(UserRepo.Limit)
    UserRepo.open().find("b")
  }

  private def helper(s: String) = s
}

object Main {
  def main(args: Array[String]): Unit = {
    new Service(UserRepo.open()).run("1")
  }
}
