import type { JSX } from "preact";
import { about } from "../data/about.ts";
import { DeadLettersPanel } from "./dead-letters.tsx";
import { SettingsPanel } from "./settings.tsx";
import { Page } from "../frame/page.tsx";
import { Beans } from "./beans.tsx";
import { Meters } from "./meters.tsx";
import { Requests } from "./requests.tsx";
import { Service } from "./service.tsx";
import { Stored } from "./stored.tsx";

// At the end of the page.
/** Is Census well? */
export default function StatusPage(): JSX.Element {
  return (
    <Page title="Status">
      <div class="panels">
        <Service />
        <Stored />
      </div>
      <Meters />
      <div class="panels">
        <Requests />
        <Beans />
      </div>
      {about.value?.source.kind === "data" ? <DeadLettersPanel /> : null}
      <SettingsPanel />
    </Page>
  );
}
