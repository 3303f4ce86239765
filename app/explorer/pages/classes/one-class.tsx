import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Page } from "../frame/page.tsx";
import { literal } from "../pql/text.ts";
import { ResourceEvents } from "../resource/resource-events.tsx";
import { ResourceUse } from "../resource/resource-use.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { ClassIssues } from "./class-issues.tsx";
import { Contained } from "./contained.tsx";

/** One class: where it fails, its nodes and parameters, what it contains. */
export function OneClass({ name }: { readonly name: string }): JSX.Element {
  const heading = visibleText(beginning(name, 200));
  return (
    <Page title={heading} tabTitle={`${heading} · Classes`} before={<a href={href("classes")}>‹ Classes</a>}>
      <ClassIssues name={name} />
      <ResourceUse resource={{ type: "Class", title: name }} />
      <Contained name={name} />
      <ResourceEvents where={`containing_class = ${literal(name)}`} namesResource />
    </Page>
  );
}
