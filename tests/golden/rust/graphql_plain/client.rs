pub async fn load(client: &reqwest::Client, id: &str) -> Result<Reply, reqwest::Error> {
    let query = r#"
        query OneUser($id: ID!) {
            user(id: $id) { name }
        }
    "#;
    client.post("http://users/graphql").json(&json!({ "query": query, "variables": { "id": id } })).send().await?.json().await
}
