package shop;

class Yard {
	Depot depot;
	Shelf shelf;
	void put(String id, Object crate) { depot.put("http://depot/crates/" + id, crate); }
	void place(String id, Object crate) { shelf.put("/places/" + id, crate); }
}

class Shelf {
	void put(String key, Object value) {}
}
