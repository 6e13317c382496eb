use reqwest::Client;

enum Kind {
    One,
    Two,
}

impl Kind {
    fn path(&self) -> &'static str {
        match self {
            Kind::One => "/kinds/one",
            Kind::Two => "/kinds/two",
        }
    }
}

fn path_of(kind: Kind) -> &'static str {
    match kind {
        Kind::One => "/of/one",
        Kind::Two => "/of/two",
    }
}

async fn decided(c: &Client) {
    c.get(Kind::Two.path()).send().await;
    c.get(path_of(Kind::One)).send().await;
}

async fn open(c: &Client, kind: Kind) {
    c.get(path_of(kind)).send().await;
    let url = if quick() { "/quick" } else { "/slow" };
    c.get(url).send().await;
}
