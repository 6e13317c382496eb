use crate::long as l;
use crate::long::compute as c;

fn run() {
    c();
    l::compute();
    let n = l::LIMIT;
}
