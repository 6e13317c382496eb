package shop;
class Page {
  private final Api api;
  Page(Api api) { this.api = api; }
  Item show(long id) { return api.items.read(id); }
  Shelf put(Shelf s) { return api.shelves.add(s); }
  void clear() throws Exception { api.run(new Api.Call("DELETE", "/items")); }
}
