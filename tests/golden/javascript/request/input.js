const request = require("request");
const base = "http://users";

function load(id, options) {
  request(base + "/users/" + id, function (error, response, body) {});
  request({ uri: base + "/cards", method: "POST", json: true }, done);
  request.put({ url: "http://carts/" + id }, done);
  request.get(options.url);
  request(options, done);
  other("/nothing");
}
