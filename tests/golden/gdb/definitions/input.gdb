set $total = 0

# Shows one.
define show_one
  print $arg0
end
document show_one
Prints its argument.
end
