use std::collections::{HashMap, hash_map::Entry as E};
pub use crate::db::{self, Repo};
use super::*;
pub struct Service { repo: Box<Repo>, items: Vec<Item> }
impl Service {
    pub fn new(repo: Repo) -> Self { Self { repo: Box::new(repo), items: vec![] } }
    fn run(&self, id: u32) -> Option<Item> {
        let r: &Repo = &self.repo;
        let item = self.repo.find(id)?;
        item.save();
        if let Some(x) = self.last() { x.touch(); }
        for i in self.items.iter() { i.save(); }
        for i in &self.items { i.save(); }
        assert_eq!(helper(item.size()), self.run(1).unwrap().size());
        db::connect().open();
        let s = Service::new(r.copy());
        Self::stat();
        items.map(|i| i.save());
        None
    }
}
impl Drop for Service { fn drop(&mut self) {} }
