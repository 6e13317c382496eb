pub fn top() -> u32 {
    inner::deep::value() + self::inner::near()
}

mod inner {
    pub fn near() -> u32 {
        super::base()
    }

    pub mod deep {
        pub fn value() -> u32 {
            crate::base()
        }
    }
}

fn base() -> u32 {
    1
}
