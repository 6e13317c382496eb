package shop;

import io.quarkus.grpc.GrpcService;
import io.smallrye.mutiny.Uni;
import shop.grpc.Place;
import shop.grpc.PlaceRequest;
import shop.grpc.Places;

@GrpcService
public class PlaceService implements Places {
    @Override
    public Uni<Place> onePlace(PlaceRequest request) { return null; }
}
