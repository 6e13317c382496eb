import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.*;
import io.gatling.javaapi.http.*;

public class UsersSimulation extends Simulation {
    static final String USERS = "/api/users";

    HttpProtocolBuilder protocol = http.baseUrl("http://users:8080").acceptHeader("application/json");

    ScenarioBuilder scn = scenario("Users")
        .exec(http("list").get(USERS).check(status().is(200)))
        .pause(1)
        .exec(http("one").get("/api/users/#{id}"))
        .exec(http("add").post(USERS).body(StringBody("{}")))
        .exec(http("gone").delete("http://orders/api/orders/${order}"));

    Map<String, String> http2 = settings("x").get("/not/this");
}
