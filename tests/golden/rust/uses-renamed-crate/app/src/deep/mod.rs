use io::ser::Writer;
use io::Reader;

pub fn copy<R: Reader, W: Writer>(r: &R, w: &W) {
    r.read();
    w.write();
}
