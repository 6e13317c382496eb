pub struct Repo;
impl Repo {
    pub fn find(&self) {}
    pub fn new() -> Repo { Repo }
}
