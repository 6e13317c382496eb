# Adds.
add <- function(a, b) {
  a + b
}
limit <- 3
total = function(x) sum(x)
