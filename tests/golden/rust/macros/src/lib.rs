pub fn size() -> u32 {
    1
}

pub struct Item;

impl Item {
    pub fn len(&self) -> u32 {
        size()
    }
}

macro_rules! check {
    ($x:expr) => {
        $x
    };
}

pub fn run(item: &Item) {
    println!("{}", size());
    check!(item.len());
}
