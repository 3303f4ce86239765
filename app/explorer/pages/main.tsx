import { render } from "preact";
import { startPolling } from "./data/about.ts";
import { App } from "./frame/app.tsx";
import "./style/tokens.css";
import "./style/base.css";

startPolling();
// The first view does not need it.
setTimeout(() => {
  import("./data/follow.ts").then(
    ({ follow }) => follow(),
    () => undefined,
  );
}, 1000);
render(<App />, document.body);
