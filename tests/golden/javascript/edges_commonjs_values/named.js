module.exports = {
  first: one,
  parts: require("./lib"),
};

function one() {}
function first() {}
