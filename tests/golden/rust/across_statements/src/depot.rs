use reqwest::{Client, Url};

pub struct Depot {
    client: Client,
    base: Url,
}

impl Depot {
    async fn send<T>(&self, url: &Url) -> T {
        self.client.get(url.clone()).send().await
    }

    pub async fn text(&self, id: &str) {
        let mut url = self.base.to_string();
        url.push_str("/crates/");
        url.push_str(id);
        self.client.get(url).send().await;
    }

    pub async fn segments(&self, id: &str) {
        let mut url = self.base.join("api/pallets").unwrap();
        url.path_segments_mut().unwrap().push(id).push("items");
        self.send::<Items>(&url).await
    }

    pub async fn checked(&self, id: &str) -> Result<Lines, Error> {
        let url = super::urls::truck(&self.base, id)?.join("lines").map_err(Error::from)?;
        self.send(&url).await
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_one() {
        depot().segments("one");
    }
}
