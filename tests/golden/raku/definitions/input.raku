# A shop.
class Shop {
    has $.name;

    # Adds two.
    method add($a, $b) {
        $a + $b
    }
}

role Priced { }

sub total(@xs) {
    [+] @xs
}
