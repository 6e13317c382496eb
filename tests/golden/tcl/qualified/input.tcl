# Makes a client.
proc shop {hosts} {
    return [::shop::dispatch $hosts]
}

# Looks at all hosts.
proc ::shop::refresh {id} {
    foreach host $::shop::hosts($id) {
        puts $host
    }
}

proc ::shop::dispatch {id} {
    return $id
}
