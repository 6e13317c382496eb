import io.gatling.javaapi.core.Simulation;

class Gatlings extends Simulation {
    Object a = feed("name").get("/not/a/call");
    Object b = jms("ask").get("/not/a/call");
}
