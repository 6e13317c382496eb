const express = require("express");
const { join, sep: separator } = require("path");
const Router = require("express").Router;
const local = require("./local")(express);
require("./setup");

exports.users = require("./users");
exports.make = function make() {
  return new Router(join(separator));
};

function late() {
  const fs = require("fs");
  return fs.read(local);
}

module.exports.late = late;
