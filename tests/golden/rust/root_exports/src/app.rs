use crate::User;
use crate::Store;
fn f(u: &User, s: &Store) {
    u.save();
    s.find();
    Store::new();
    crate::User::save(u);
}
