use std::env;

async fn load(id: u64) -> reqwest::Result<()> {
    reqwest::get(format!("{}/users/{}", env::var("USERS_URL").unwrap(), id)).await?;
    reqwest::get(format!("{}/all", env::var("USERS_URL").unwrap_or("http://other".to_string()))).await?;
    reqwest::get(format!("{}/some", env::var("UNKNOWN_URL").unwrap_or("http://other".to_string()))).await?;
    reqwest::get(format!("http://{}/items", env::var("STOCK_HOST").expect("a host"))).await?;
    reqwest::get(format!("{}/none", env::var("UNKNOWN_URL").unwrap())).await?;
    Ok(())
}
