import javax.ws.rs.client.ClientRequestContext;

class JaxRsClients {
    void all(ClientRequestContext context, Queue queue) {
        context.getHeaders().get("/not/a/call");
        queue.request().next();
        queue.target("/not/a/call").close();
    }
}
