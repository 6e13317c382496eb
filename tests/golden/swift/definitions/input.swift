import Foundation

/// Somebody who pays.
public final class Account: Base, Named, Codable {
    public let id: String
    private var items: [Item] = [], count = 0
    static let shared = Account(id: "a")
    var total: Int { return items.count }

    init(id: String) { self.id = id; super.init() }
    deinit { close() }

    /// Pays.
    /// - Parameter amount: how much
    @discardableResult
    public func pay(_ amount: Decimal, to other: Account? = nil) async throws -> Receipt<Foo> {
        let local = Receipt(amount)
        func helper() -> Int { 1 }
        return local
    }

    private func secret() {}

    subscript(i: Int) -> Item { items[i] }

    enum State: String {
        case open = "o", closed
        case failed(Error)
    }
}

struct Point { var x: Int; let y = 0; mutating func move() { x += 1 } }

protocol Named: AnyObject {
    associatedtype Element
    var name: String { get }
    func greet(x: Int) -> String
    init(a: Int)
}

extension Account: Equatable {
    static func == (a: Account, b: Account) -> Bool { a.id == b.id }
    func extra() {}
}

actor Bank { func open() {} }

typealias Handler = (String) -> Void
let limit = 3
func top<T: Named>(_ x: T, by: Int = limit) where T: Foo { print(x) }
