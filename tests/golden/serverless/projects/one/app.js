const app = require("express")();
app.get("/items", (req, res) => res.json([]));
