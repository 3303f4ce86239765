import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { beginning, refText, type ResourceRef } from "./text.ts";
import { marked } from "./value.tsx";
import { codeUrl } from "../site/link-url.ts";
import { codeLink } from "../site/site-links.tsx";
import { shortFile } from "#storage/display/short-file.ts";

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

export interface PlaceProps {
  readonly file: string | null | undefined;
  readonly line: number | null | undefined;
}

/** A line of code: `nginx/manifests/init.pp:42`; undefined where none is known. */
export function placeText({ file, line }: PlaceProps): string | undefined {
  if (file === null || file === undefined || file === "") return undefined;
  return `${shortFile(file)}${line === null || line === undefined ? "" : `:${line}`}`;
}

/** A line of code, with its whole file on hover; a link where the site says where its code is. */
export function Place({ file, line }: PlaceProps): JSX.Element | null {
  const text = placeText({ file, line });
  if (text === undefined || file === null || file === undefined) return null;
  const place = (
    <bdi class="wrap" title={file}>
      {marked(text)}
    </bdi>
  );
  const link = codeLink.value;
  const target = link === undefined ? undefined : codeUrl(link.url, file, line ?? null);
  if (target === undefined) return place;
  return (
    <a href={target} rel="noreferrer external">
      {place}
    </a>
  );
}
