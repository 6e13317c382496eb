package shop;

import spark.Spark;

class OrderRoutes {
    void register() {
        Spark.post(Paths.ORDERS, (request, response) -> "");
    }
}
