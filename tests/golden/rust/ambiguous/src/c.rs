use crate::a::A;

pub fn known(a: A) {
    a.go();
}

pub fn unknown(x: impl Fn()) {
    let y = x();
    y.go();
}

pub fn outside() {
    let map = std::collections::HashMap::new();
    map.insert(1, 2);
}
