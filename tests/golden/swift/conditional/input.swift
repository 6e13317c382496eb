final class Guarded<Value> {
    #if canImport(Darwin)
    private let lock = UnfairLock()
    #elseif canImport(Foundation)
    private let lock = NSLock()
    #else
    #error("No lock.")
    #endif

    init(_ value: Value) {
        self.value = value
    }

    func read() -> Value {
        #if DEBUG
        check()
        #endif
        return value
    }

    let text = "#if in a string"
}
