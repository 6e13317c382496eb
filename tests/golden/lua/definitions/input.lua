-- Things that are counted.
local Counter = {}

-- Adds two numbers.
-- Slowly.
local function add(a, b)
  return a + b
end

function Counter.new(start,
    step)
  local function inner() return 1 end
  return setmetatable({ n = start }, Counter)
end

function Counter:next() self.n = self.n + 1 end

Counter.reset = function(self)
  self.n = 0
end

return Counter
