use crate::db::users::Users;
use crate::db::{self, users};

pub fn run() {
    let users = Users::open();
    users.find(1);
    db::connect();
}

fn other() {
    users::Users::open();
}
