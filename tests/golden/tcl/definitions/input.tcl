namespace eval shop {
    # Adds.
    proc add {a b} {
        return [expr {$a + $b}]
    }
}

proc total {} {
    return 1
}
