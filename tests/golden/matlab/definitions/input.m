% Adds two.
function y = add(a, b)
  y = a + b;
end

function [s, t] = both(a)
  s = a;
  t = a;
end
