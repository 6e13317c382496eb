extension Cart {
    func total() -> Int { sum() }
    private func sum() -> Int { items.count }
    static func make() -> Cart { Cart() }
}
extension Cart: Equatable {}
func checkout() {
    let cart = Cart.make()
    _ = cart.total()
    _ = Cart.Item(price: 1)
}
class CartTests: XCTestCase {
    func testTotal() { XCTAssertEqual(Cart.make().total(), 0) }
}
