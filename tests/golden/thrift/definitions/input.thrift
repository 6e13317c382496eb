namespace java shop

typedef i64 Id
const i32 MAX = 3

// Who buys.
struct User {
  1: Id id
  2: optional string name
}

enum Level { LOW, HIGH }

exception Missing { 1: string what }

service Users extends Base {
  User get(1: Id id) throws (1: Missing m)
}
