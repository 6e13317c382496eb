function run(pool) {
  check(Limits);
  check(Limits);
  return pool
    .query('x')
    .then(rows => rows);
}
