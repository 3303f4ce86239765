import type { JSX } from "preact";
import { href, useParameter } from "../address/address.ts";
import { oneOf } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { and, inEnvironment, literal } from "../pql/text.ts";
import type { TimeRange } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import { counted } from "../value/text.ts";
import { useFacets } from "../data/use-query.ts";

const codec = oneOf(["intended", "corrective"], "intended");

/** The resources that changed on the most nodes: as intended, or corrected because somebody else had changed them. */
export function Changes({
  environment,
  range,
}: {
  readonly environment: string | undefined;
  readonly range: TimeRange;
}): JSX.Element {
  const [kind, setKind] = useParameter("changes", codec);
  const splits = about.value?.features.correctiveChanges ?? false;
  const isCorrective = splits && kind === "corrective";
  const loaded = useFacets({
    name: isCorrective ? "Corrected resources" : "Changed resources",
    entity: "events",
    where: and(
      'status = "success"',
      splits ? `corrective_change = ${String(isCorrective)}` : undefined,
      `timestamp >= ${literal(range.from)}`,
      `timestamp <= ${literal(range.to)}`,
      inEnvironment("events", environment),
    ),
    facets: [["resource_type", "resource_title"]],
    per: "certname",
    limit: 8,
  });
  const values = loaded.value?.facets[0]?.values ?? [];
  const [most = { count: 0 }] = values;
  return (
    <Panel
      title="What changed"
      loaded={loaded}
      height={200}
      actions={
        splits ? (
          <fieldset class="choice">
            <legend class="visually-hidden">Kind of change</legend>
            <button type="button" aria-pressed={!isCorrective} onClick={() => setKind("intended")}>
              Intended
            </button>
            <button type="button" aria-pressed={isCorrective} onClick={() => setKind("corrective")}>
              Corrective
            </button>
          </fieldset>
        ) : undefined
      }
      empty={
        values.length === 0 && loaded.value !== undefined ? (
          <p>
            {isCorrective ? "Nothing was corrected" : "Nothing changed"} in the {range.label}.
          </p>
        ) : undefined
      }
    >
      <table class="wide">
        <caption class="visually-hidden">Resources that changed, and on how many nodes</caption>
        <tbody>
          {values.map(({ value, count }) => {
            const [type, title] = pair(value);
            return (
              <tr key={`${type} ${title}`}>
                <td class="wrap">
                  <a href={href("resource", [], { type, title })}>
                    {type}[<Text text={title} />]
                  </a>
                </td>
                <td class="number">{counted(count, "node")}</td>
                <td class="bar-cell" aria-hidden="true">
                  <span class="bar" style={{ width: `${(100 * count) / most.count}%` }} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

function pair(value: unknown): [string, string] {
  const [type, title] = Array.isArray(value) ? (value as unknown[]) : [];
  return [String(type), String(title)];
}
