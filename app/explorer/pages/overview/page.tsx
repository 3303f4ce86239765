import type { JSX } from "preact";
import { useEnvironment } from "../address/address.ts";
import { isNothingStored } from "../data/nothing-stored.ts";
import { Page } from "../frame/page.tsx";
import { useTimeRange } from "../time/range.ts";
import { Changes } from "./changes.tsx";
import { Environments } from "./environments.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Runs } from "./runs.tsx";
import { SilentNodes } from "./silent-nodes.tsx";
import { StateBar } from "./state-bar.tsx";
import { TopIssues } from "./top-issues.tsx";

/** Is the fleet well, and what changed? */
export default function OverviewPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  if (isNothingStored()) {
    return (
      <Page title="Overview">
        <FirstSteps />
      </Page>
    );
  }
  return (
    <Page title="Overview" beside={<Figures environment={environment} />}>
      <StateBar environment={environment} />
      <div class="panels">
        <TopIssues environment={environment} range={range} />
        <SilentNodes environment={environment} />
      </div>
      <Runs environment={environment} range={range} />
      <div class="panels">
        <Changes environment={environment} range={range} />
        <Environments />
      </div>
    </Page>
  );
}
