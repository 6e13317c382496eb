import Foundation
@testable import Shop

final class Service: Base, Named {
    let repo: UserRepo
    private var cache: [String: User] = [:]
    var log = Logger(name: "x")
    init(repo: UserRepo, n: Int = 3) {
        self.repo = repo
        super.init(n)
    }
    func find(_ id: String, in box: Box<User>?) async throws -> User? {
        let u = try await repo.load(id: id)
        guard let v = cache[id] else { return nil }
        if let s = u.child() { s.run() }
        for x in u.orders { x.run() }
        self.log.info("x")
        box?.open()
        let n = Foo<Bar>()
        u.map { $0.price }
        u.each { z in z.go(helper) }
        Registry.shared.add(u)
        let w = u as! Admin
        w.rule()
        return u
    }
    static func make() -> Service { Service(repo: UserRepo()) }
}
extension Service: Codable { func extra() { find("a", in: nil) } }
protocol Named { func greet(x: User) -> [User] }
func top(_ s: Service) { s.find("x", in: nil) }
enum E: String { case a(User), b 
 func f() -> Self { .a(User()) } }
