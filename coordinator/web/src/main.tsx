import { render } from "preact";
import { App } from "./app";
import { startLive } from "./live";
import "./theme";

startLive();
render(<App />, document.getElementById("app")!);
