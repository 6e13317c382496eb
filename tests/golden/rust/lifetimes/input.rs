struct C<'a> { path: Cow<'a, [u8]>, m: Foo<'a>, n: Bar<'a, T>, r: Ref<'static, Baz> }
impl<'a> Foo<'a> { fn x(&'a self) -> Iter<'a, Foo<'a>> { } }
