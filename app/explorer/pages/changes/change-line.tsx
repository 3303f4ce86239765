import type { JSX } from "preact";
import { fieldText } from "#storage/diff/catalog.ts";
import { compareValues, type ValueChange } from "#storage/diff/values.ts";
import type { Json } from "#storage/json.ts";
import { href } from "../address/address.ts";
import { ResourceLink } from "../value/resource-link.tsx";
import { beginning } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { type Change, nodeValueLabels } from "./change.ts";

/** Characters of a value, and of a name. */
const SHOWN = 200;

const signs = { added: "+", removed: "−", changed: "~" } as const;

/** A change as a line of a log: `~ kernelrelease: 6.1.0 → 6.2.0`. */
export function ChangeLine({ change }: { readonly change: Change }): JSX.Element {
  const { kind, what, before, after } = change;
  const differences = kind === "resource" && change.change === "changed" ? compareValues(before, after) : [];
  return (
    <li>
      <span class={`change-sign change-${change.change}`} title={change.change}>
        {signs[change.change]}
      </span>{" "}
      <span class="visually-hidden">{change.change} </span>
      <span class="muted">{kind}</span> <Name change={change} />
      {kind === "resource" || (kind === "node" && (what === "catalog" || what === "facts")) ? null : (
        <>
          {": "}
          <Values change={change.change} before={before} after={after} />
        </>
      )}
      {differences.length === 0 ? null : (
        <ul class="change-lines">
          {differences.map((difference) => (
            <li key={JSON.stringify(difference.path)}>
              <bdi>{marked(beginning(fieldText(difference), SHOWN))}</bdi>: <Difference difference={difference} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Name({
  change: { kind, what, type = "", title = "", provider = "" },
}: {
  readonly change: Change;
}): JSX.Element {
  if (kind === "resource") return <ResourceLink resource={{ type, title }} />;
  const text = <bdi>{marked(beginning(kind === "node" ? (nodeValueLabels[what] ?? what) : what, SHOWN))}</bdi>;
  if (kind === "package") {
    return (
      <>
        <a href={href("package", [], { name: what })}>{text}</a>{" "}
        <span class="muted">
          (<bdi>{marked(beginning(provider, SHOWN))}</bdi>)
        </span>
      </>
    );
  }
  // Other names may be several parts of a path or one with dots.
  return kind === "fact" && /^[\w-]+$/.test(what) ? <a href={href("fact", [], { path: what })}>{text}</a> : text;
}

function Values({ change, before, after }: Pick<Change, "change" | "before" | "after">): JSX.Element {
  return (
    <>
      {change === "added" ? null : <Value value={before} limit={SHOWN} />}
      {change === "changed" ? " → " : ""}
      {change === "removed" ? null : <Value value={after} limit={SHOWN} />}
    </>
  );
}

function Difference({ difference }: { readonly difference: ValueChange }): JSX.Element {
  const { kind } = difference;
  const before: Json = kind === "added" ? null : difference.from;
  const after: Json = kind === "removed" ? null : difference.to;
  return (
    <>
      <Values change={kind} before={before} after={after} />
      {kind === "changed" ? null : <span class="muted"> ({kind})</span>}
    </>
  );
}
