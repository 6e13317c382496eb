import kong.unirest.Unirest;

class Unirests {
    void all(Store store) {
        Unirest.config().defaultBaseUrl("http://not");
        store.get("http://not/a/call");
        String text = "Unirest.get(\"http://not/a/call\")";
        // Unirest.delete("http://not/a/call");
    }
}
