package shop;

// Keeps things.
class Store {
    public var name:String;

    public function new(name:String) {
        this.name = name;
    }

    public function find(key:String):Int {
        return key.length;
    }
}

interface Priced {
    function price():Int;
}

enum Colour {
    Red;
    Green;
}

typedef Pair = { a:Int, b:Int }
