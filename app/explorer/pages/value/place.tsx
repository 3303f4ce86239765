import type { JSX } from "preact";
import { marked } from "./value.tsx";
import { shortFile } from "#storage/display/short-file.ts";

export interface PlaceProps {
  readonly file: string | null | undefined;
  readonly line: number | null | undefined;
}

/** A line of code: `nginx/manifests/init.pp:42`, in full on hover. */
export function Place({ file, line }: PlaceProps): JSX.Element | null {
  if (file === null || file === undefined || file === "") return null;
  const end = line === null || line === undefined ? "" : `:${line}`;
  return (
    <bdi class="mono wrap place" title={`${file}${end}`}>
      {marked(shortFile(file))}
      {end}
    </bdi>
  );
}
