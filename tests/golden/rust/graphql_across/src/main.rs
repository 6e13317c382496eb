mod query;
use juniper::{EmptyMutation, EmptySubscription, RootNode};

fn schema() -> RootNode<'static, query::Root, EmptyMutation<()>, EmptySubscription<()>> {
    RootNode::new(query::Root, EmptyMutation::new(), EmptySubscription::new())
}

fn build() {
    async_graphql::Schema::build(QueryRoot::default(), EmptyMutation, EmptySubscription).finish();
}
