use async_graphql::{EmptySubscription, MergedObject, Object, Schema};

#[derive(Default)]
pub struct UserQuery;

#[Object]
impl UserQuery {
    async fn all_users(&self) -> Vec<User> {
        vec![]
    }
}

pub struct User;

#[Object]
impl User {
    async fn full_name(&self) -> String {
        String::new()
    }
}

#[derive(MergedObject, Default)]
pub struct Query(UserQuery);

pub struct Mutation;

#[Object]
impl Mutation {
    async fn create_user(&self, name: String) -> User {
        User
    }
}

pub type ShopSchema = Schema<Query, Mutation, EmptySubscription>;
