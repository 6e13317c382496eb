package shop;

class Orders {
    private final Client client = new Client();

    String order(String id) throws Exception {
        return client.get("/orders/" + id);
    }
}
