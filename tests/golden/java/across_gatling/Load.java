package load;

import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.*;

public class Load extends Simulation {
    HttpProtocolBuilder protocol = http.baseUrl(Targets.ORDERS);

    ScenarioBuilder scn = scenario("Orders").exec(http("one").get(Targets.ONE)).exec(http("add").post("/orders"));
}
