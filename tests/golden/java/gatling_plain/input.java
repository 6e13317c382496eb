package load;

import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.*;

public class Load extends Simulation {
    HttpProtocolBuilder protocol = http.baseUrl("http://orders:8080");

    ScenarioBuilder scn = scenario("Orders")
        .exec(http("list").get("/orders?page=#{page}"))
        .exec(http("one").get("/orders/#{id}").check(status().is(200)))
        .exec(http("drop").delete("/orders/#{id}"));

    String header = cache("name").get("/nothing");
}
