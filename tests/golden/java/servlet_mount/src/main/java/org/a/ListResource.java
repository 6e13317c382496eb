package org.a;

import java.util.List;
import jakarta.ws.rs.GET;

public class ListResource<T> extends BaseResource<T> {
    @GET
    public List<T> all() { return List.of(); }
}
