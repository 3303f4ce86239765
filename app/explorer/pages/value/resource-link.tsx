import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { type ResourceRef, refText } from "./resource-ref.ts";
import { beginning } from "./text.ts";
import { marked } from "./value.tsx";

/** Longer titles are cut: the page of the resource shows them in full. Characters. */
const SHOWN = 160;

/** A resource with a link to its page; classes have their own pages. */
export function ResourceLink({ resource }: { readonly resource: ResourceRef }): JSX.Element {
  const { type, title } = resource;
  const shown = beginning(title, SHOWN);
  return (
    <a
      class="resource-link"
      href={type === "Class" ? href("classes", [], { class: title }) : href("resource", [], { type, title })}
      title={shown === title ? undefined : refText(resource)}
    >
      <bdi>
        {marked(type)}[{marked(shown)}
        {shown === title ? "" : "…"}]
      </bdi>
    </a>
  );
}
