import { isNumber, isObject, type Json, type JsonObject, numberText } from "#storage/json.ts";
import type { JSX } from "preact";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { and, literal, query } from "../pql/text.ts";
import { Tree } from "../tree/tree.tsx";
import { formatBytes } from "../value/human.ts";
import { Text } from "../value/value.tsx";
import { Item } from "./now-panel.tsx";
import { isInactive, ofNode } from "./use-node.ts";

interface FactRow {
  readonly name: string;
  readonly value: Json;
}

/** Facts of which the summary shows something. */
const names = [
  "os",
  "kernelrelease",
  "networking",
  "system_uptime",
  "processors",
  "memory",
  "virtual",
  "is_virtual",
  "timezone",
  "trusted",
];

/** What kind of machine it is: operating system, addresses, size, uptime, trusted facts. */
export function Identity({ node }: { readonly node: NodeRow }): JSX.Element {
  const loaded = useQuery<FactRow>({
    name: "Facts of the summary",
    pql: query("facts", {
      select: ["name", "value"],
      where: and(
        ofNode(node.certname, { isInactive: isInactive(node) }),
        `name in [${names.map((name) => literal(name)).join(", ")}]`,
      ),
    }),
  });
  const facts: JsonObject = Object.fromEntries((loaded.value ?? []).map(({ name, value }) => [name, value]));
  const { trusted } = facts;
  const items = machineItems(facts);
  return (
    <Panel
      title="Machine"
      loaded={loaded}
      height={160}
      empty={loaded.value?.length === 0 ? <p>No facts of this node are stored.</p> : undefined}
    >
      <dl class="facts-list">
        {items.map(([name, text]) => (
          <Item key={name} name={name}>
            <Text text={text} />
          </Item>
        ))}
      </dl>
      {trusted === undefined || !isObject(trusted) ? null : (
        <>
          <h3>Trusted facts</h3>
          <Tree label="Trusted facts" value={trusted} />
        </>
      )}
    </Panel>
  );
}

/** Names and texts of what is known about the machine; facts of other shapes than Facter's are left out. */
export function machineItems(facts: JsonObject): readonly (readonly [name: string, text: string])[] {
  const text = (...path: readonly string[]): string | undefined => {
    const value = valueAt(facts, path);
    if (isNumber(value ?? null)) return numberText(value as number);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const bytes = text("memory", "system", "total_bytes");
  const processors = text("processors", "count");
  const virtual = text("virtual");
  const items: (readonly [string, string | undefined])[] = [
    ["OS", joined(text("os", "name"), text("os", "release", "full"))],
    ["Kernel", joined(text("kernelrelease"), text("os", "architecture"))],
    ["Addresses", joined(text("networking", "ip"), text("networking", "ip6"))],
    ["Host name", text("networking", "fqdn") ?? text("networking", "hostname")],
    ["Processors", joined(processors, text("processors", "models", "0"))],
    ["Memory", bytes === undefined ? text("memory", "system", "total") : formatBytes(Number(bytes))],
    ["Virtual", virtual === "physical" ? "no, physical" : virtual],
    ["Uptime", text("system_uptime", "uptime")],
    ["Time zone", text("timezone")],
  ];
  return items.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path) {
    if (Array.isArray(found)) found = found[Number(part)];
    else found = found !== undefined && isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? undefined : known.join(" · ");
}
