import Foundation

protocol Store {
    func save(_ x: User) -> Bool
}

class BaseRepo {
    let url: String
    init(url: String) { self.url = url }
    func connect() -> String { url }
}

struct User {
    let id: String
    func label() -> String { id }
}

final class UserRepo: BaseRepo, Store {
    static let shared = UserRepo(url: "x")

    override func connect() -> String {
        return super.connect()
    }

    func save(_ x: User) -> Bool {
        log(x.label())
        return true
    }

    func find(id: String) -> User? { nil }
}

extension UserRepo {
    func log(_ s: String) { print(s) }
}
