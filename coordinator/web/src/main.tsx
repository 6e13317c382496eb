import { render } from "preact";
import { App } from "./app";
import "./theme";

render(<App />, document.getElementById("app")!);
