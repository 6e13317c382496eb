use syntax::parse::{Tree, Visit};

impl Visit for Tree {
    fn visit(&self) {}
}

fn main() {
    let Tree { size } = syntax::parse("a");
    let t = Tree { size };
    println!("{}", t.size);
}
