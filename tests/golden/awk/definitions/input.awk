# Adds two.
function add(a, b) {
    return a + b
}

function total(xs,    i, sum) {
    for (i in xs) sum = add(sum, xs[i])
    return sum
}

BEGIN { print total() }
