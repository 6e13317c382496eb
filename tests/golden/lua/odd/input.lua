local box = setmetatable({}, {__gc = function (x)
  return x
end})

local closing = setmetatable({}, {
  __close = function () return 1 end})

text = [[
  {__close = function () return 2 end
]]
