enum Token {
  case word(String)
  case end

  func show() -> String { "" }
  static func blank() -> Token { .end }
}

class Store {
  subscript(i: Int) -> Token { pick(i) }
  func pick(_ i: Int) -> Token { Token.blank() }
  func close() {}
  deinit { close() }
}

func made() { Token.word("x").show() }
func kept() {
  let t = Token.word("x")
  t.show()
}
func plain() { Token.end.show() }
