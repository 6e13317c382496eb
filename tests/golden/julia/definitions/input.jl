module Shop

const MAX = 3

# An order.
struct Order
    id::Int
    name
end

abstract type Shape end

function add(a, b)
    a + b
end

area(x) = x * x

macro twice(x)
    x
end

end
