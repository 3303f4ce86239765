import type { JSX } from "preact";
import { href, useText } from "../address/address.ts";
import { Page } from "../frame/page.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { literal } from "../pql/text.ts";
import { beginning, type ResourceRef, visibleText } from "../value/text.ts";
import { eventTabs } from "./resource-events.tsx";
import { useResource } from "./use-resource.tsx";

/** Characters of a title in the heading; the tool tip has all. */
const SHOWN = 200;

/** One resource on all nodes that have it. */
export default function ResourcePage(): JSX.Element {
  const [type] = useText("type");
  const [title] = useText("title");
  const heading = visibleText(`${type}[${beginning(title, SHOWN)}${title.length > SHOWN ? "…" : ""}]`);
  if (type === "") {
    return (
      <Page title="Resource">
        <p>
          The address names no resource. <a href={href("resources")}>All types of resources</a>
        </p>
      </Page>
    );
  }
  return (
    <Page
      title={heading}
      tabTitle={`${heading} · Resources`}
      before={
        <a href={href("resources", [], { type })}>
          ‹ <bdi class="wrap">{visibleText(beginning(type, 80))}</bdi>
        </a>
      }
    >
      <ResourceParts key={heading} type={type} title={title} />
    </Page>
  );
}

function ResourceParts({ type, title }: ResourceRef): JSX.Element {
  const { exporters, tabs } = useResource({ type, title });
  const events = eventTabs(`resource_type = ${literal(type)} and resource_title = ${literal(title)}`);
  return (
    <>
      {exporters}
      <Tabs label="Parts of the resource" tabs={[...tabs, ...events]} />
    </>
  );
}
