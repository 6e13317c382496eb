use reqwest::{Client, Url};

async fn add(client: &Client) -> Result<(), Error> {
    let mut url = Url::parse("http://library:8080/old?x=1")?;
    url.set_path("/api/books");
    client.post(url).send().await?;
    Ok(())
}

async fn remove(client: &Client, id: u64) -> Result<(), Error> {
    let mut base = Url::parse("http://library/api")?;
    base.path_segments_mut().unwrap().extend(&["books", &id.to_string()]);
    client.delete(base).send().await?;
    Ok(())
}

async fn before(client: &Client) -> Result<(), Error> {
    let mut url = Url::parse("http://library/api/books")?;
    client.get(url.clone()).send().await?;
    let mut names = vec!["a"];
    names.extend(&["b"]);
    url.set_path("/later");
    Ok(())
}
