/* Adds two. */
add: procedure
  parse arg a, b
  return a + b

total:
  return add(1, 2)
