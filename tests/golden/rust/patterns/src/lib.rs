pub trait Shape {
    fn area(&self) -> f64;
}

pub struct Square;

impl Square {
    pub fn grow(&self) -> &Self {
        self
    }
}

pub struct Store<T> {
    items: Vec<T>,
}

impl<T> Store<T> {
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }
}

fn find() -> Option<Square> {
    None
}

fn arms() {
    match find() {
        Some(s) => s.grow(),
        None => return,
    };
}

fn let_else() {
    let Some(s) = find() else { return };
    s.grow();
}

fn bound<T: Shape>(t: T) {
    t.area();
}

fn where_bound<T>(t: T)
where
    T: Shape,
{
    t.area();
}

fn argument(store: &Store<Square>) {
    store.first().unwrap().grow();
}

fn elements(list: Vec<Square>) {
    list.get(0).unwrap().grow();
}

fn closure(list: Vec<Square>) {
    list.iter().for_each(|s| {
        s.grow();
    });
}
