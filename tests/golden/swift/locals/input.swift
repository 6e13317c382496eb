class Holder {
    let box: Box
    var late: Late?
    lazy var made = Maker()
    init(box: Box) { self.box = box }
    func work(_ input: Input, with n: Int = 3) throws {
        let maker = Maker()
        var later: Late? = nil
        let (first, second) = maker.pair()
        for item in input.items { item.run() }
        if let found = maker.find() { found.show() }
        guard let deep = try maker.deep?.load() else { return }
        deep.go()
        let cast = maker as! Special
        cast.only()
        let value = try await maker.value()
        value.use()
        maker.list.forEach { each in each.use() }
        maker.list.map { $0.name }
        box.items[0].touch()
        do { try maker.go() } catch let e as Failure { e.show() } catch { print(error) }
        switch maker.kind { case .one(let k): k.call(); default: break }
        later?.finish(first)
    }
    static func give() -> Maker { return Maker() }
}
