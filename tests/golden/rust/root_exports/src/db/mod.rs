pub mod users;
pub struct User;
impl User {
    pub fn save(&self) {}
}
