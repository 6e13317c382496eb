use std::fs::File;

pub struct Mine;

impl Mine {
    pub fn read_all(&self) {}
}

pub fn run(file: &mut File, text: &str) {
    println!("{}", text.trim());
    let copy = Some(text);
    drop(copy);
}
