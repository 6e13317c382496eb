package shop;

import io.quarkus.grpc.GrpcClient;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import shop.grpc.PlaceRequest;
import shop.grpc.Places;

@ApplicationScoped
public class PlaceClient {
    private final Places places;

    public PlaceClient(@GrpcClient("places") Places places) { this.places = places; }

    public Uni<String> any() {
        return this.places.anyPlace(PlaceRequest.newBuilder().build()).map(p -> p.getName());
    }
}
