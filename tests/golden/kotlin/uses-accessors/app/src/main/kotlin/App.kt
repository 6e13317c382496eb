package app

import acme.Account

fun show(a: Account): String {
  if (a.isOpen) return a.owner
  a.owner = "x"
  return a.name
}
