import { render } from "preact";
import { startPolling } from "./data/about.ts";
import { App } from "./frame/app.tsx";
import "./style/tokens.css";
import "./style/base.css";

startPolling();
render(<App />, document.body);
