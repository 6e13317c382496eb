import { http } from "./own";
// speaks of k6/http only here: "k6/http"
http.get("/nothing");
