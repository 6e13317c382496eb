function work({ id, list: [first] }, n = limit(), ...rest) {
  const a = make(), b = new Bar();
  let c;
  c = a.next();
  var d = c || new Other();
  for (const item of a.items()) item.touch();
  for (let i = 0; i < n; i++) step(i);
  const { x, y: z } = b;
  try {
    go();
  } catch (e) {
    e.show(x, z, id, first, rest);
  }
  outer = b;
  return (p) => p.run(d);
}

var outer;
