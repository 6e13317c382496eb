use {
    fast_rx::{meta::Regex, Match, Rx as Renamed},
    fast_rx::prelude::Slices,
};

mod other;

struct Own;

impl Own {
    fn size(&self) -> usize {
        0
    }
}

struct Holder {
    regex: Regex,
    bytes: Vec<u8>,
    path: std::borrow::Cow<'static, [u8]>,
    text: String,
}

impl Holder {
    fn first(&self, text: &str) -> Option<usize> {
        self.regex.find(text).map(|m| m.start())
    }

    fn all(&self, text: &str) {
        for m in self.regex.find_all(text) {
            m.start();
        }
        self.bytes.as_text();
        self.path.as_text();
        self.text.as_text();
    }
}

fn run(own: Own, unknown: Vec<String>) -> Result<(), fast_rx::Error> {
    let re = Regex::new("a").unwrap();
    re.find("a");
    let built = Regex::builder()
        .size(3)
        .build()?;
    built.find("b");
    let other: Option<Match> = Renamed::new("c")?.find("d");
    let fast_rx = fast_rx::meta::Regex::builder().size(1);
    own.size();
    unknown.size();
    Ok(())
}

fn report(err: &fast_rx::Error) -> usize {
    if let Some(ref err) = err.syntax_error() {
        return err.line();
    }
    0
}

fn tools() -> usize {
    toolbox::sharpen(1)
}

fn here() -> self::Own {
    self::other::make()
}
