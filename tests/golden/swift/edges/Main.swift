struct Service {
    let repo: UserRepo

    func run(id: String) {
        guard let u = repo.find(id: id) else { return }
        _ = u.label()
        _ = repo.connect()
        self.helper(u)
        UserRepo.shared.log("x")
        let fresh = UserRepo(url: "y")
        _ = fresh.save(User(id: "1"))
    }

    private func helper(_ u: User) {
        top(u)
    }
}

func top(_ u: User) {}

extension User: CustomStringConvertible {
    var description: String { label() }
}
