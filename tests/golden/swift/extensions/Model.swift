struct Cart {
    var items: [Item] = []
    struct Item { let price: Int }
    enum Problem: Error { case empty }
}
