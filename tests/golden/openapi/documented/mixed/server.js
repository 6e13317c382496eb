const express = require("express");
const app = express();
app.get("/things", (req, res) => res.json([]));
