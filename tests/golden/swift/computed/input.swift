struct Settings {
    static var shared: Settings {
        let made = Settings()
        return made
    }

    var size: Int {
        get {
            let measured = measure()
            return measured
        }
        set {
            let checked = check(newValue)
            store(checked)
        }
    }

    var name: String = "" {
        didSet {
            let old = oldValue
            print(old)
        }
    }
}
