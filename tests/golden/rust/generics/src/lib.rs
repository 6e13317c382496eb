pub struct Repo<T> {
    items: Vec<T>,
}

pub struct User;

impl User {
    pub fn save(&self) {}
}

impl<T: Clone> Repo<T> {
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

pub fn load() -> Result<User, String> {
    Err(String::new())
}

pub fn run(repo: Repo<User>) -> Result<(), String> {
    repo.len();
    let user = load()?;
    user.save();
    load().unwrap().save();
    if let Ok(found) = load() {
        found.save();
    }
    Ok(())
}
