import org.apache.spark.sql.SparkSession;
import spark.Spark;

class Sparks {
    private final Map<String, String> map;

    void all(SparkSession spark) {
        spark.read().option("path", "/not/a/route");
        map.get("/not/a/route", "x");
        map.put("/not/a/route", "x");
        Spark.staticFiles.location("/public");
    }
}
