const USERS: &str = r#"
    query Users {
        users(name: "x") { id }
    }
"#; // for a server of graphql
