import { render } from "preact";
import { startPolling } from "./data/about.ts";
import { chosenIn, chosenTime } from "./data/as-of.ts";
import { App } from "./frame/app.tsx";

chosenTime.value = chosenIn(location.search);
startPolling();
// The first view does not need it.
setTimeout(() => {
  import("./data/follow.ts").then(
    ({ follow }) => follow(),
    () => undefined,
  );
}, 1000);
render(<App />, document.body);
