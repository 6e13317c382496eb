const { Users, list: all } = require("./users");
const { query } = require("./db");

function run(query) {
  query(1);
}

all();
new Users(run).find(2);
[1].map(query);
