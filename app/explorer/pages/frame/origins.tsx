import type { JSX } from "preact";
import type { ShownOrigin } from "../../../status/origin-status.ts";
import { href } from "../address/address.ts";
import { latest } from "../data/about.ts";
import { originField } from "../pql/related-field.ts";
import { formatDuration } from "../time/format.ts";

/** A copy is late when it is older, seconds: three looks with the default interval. */
const LATE = 90;

/** The servers that are copied, and how old each copy is. */
export function Origins(): JSX.Element | null {
  const origins = latest.value?.store.origins ?? [];
  if (origins.length === 0) return null;
  return (
    <span class="header-source" data-origins>
      {origins.map((origin, index) => (
        <span key={origin.name} class={classOf(origin)} title={titleOf(origin)}>
          {index === 0 ? "" : " · "}
          <bdi>{origin.name}</bdi>, {textOf(origin)}
          {origin.shared === 0 ? null : (
            <>
              , <a href={sharedHref(origin.name)}>{origin.shared} shared</a>
            </>
          )}
        </span>
      ))}
    </span>
  );
}

/** The nodes of an origin that others have too, whatever their state. */
function sharedHref(name: string): string {
  const filter = `${originField}=${JSON.stringify(name)}`;
  return href("nodes", [], { f: filter, nodes: "any", q: "origins{ is_current = false }" });
}

function textOf({ state, progress, behind_seconds: behind }: ShownOrigin): string {
  if (progress !== null && (state === "copying" || behind === null)) {
    return `copying, ${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}`;
  }
  if (state === "held" || state === "refused") return state;
  return behind === null ? state : `${formatDuration(behind)} ago`;
}

function classOf({ state, behind_seconds: behind }: ShownOrigin): string {
  if (state === "held" || state === "refused") return "state-failed";
  return state === "unreachable" || (behind ?? 0) > LATE ? "state-pending" : "muted";
}

function titleOf({ url, state, problem, shared }: ShownOrigin): string {
  const also = shared === 0 ? "" : `; other origins have ${shared} of its nodes too`;
  return `${url}: ${problem ?? state}${also}`;
}
