extern crate acme_io as io;

mod deep;
