import "./setup";
import fs from "fs";
import path, { join as j } from "path";
import * as http from "node:http";
import type { User } from "../models/user";
import { default as main, type Kind } from "./main";
import legacy = require("./legacy");

async function late() {
	const mod = await import("./mod");
	const { a, b: c } = await import("./names");
	mod.go(a, c);
	return fs.read(j(path.sep), http.get);
}
