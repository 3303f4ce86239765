import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import type { JSX } from "preact";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { and, literal, query } from "../pql/text.ts";
import { Tree } from "../tree/tree.tsx";
import { Text } from "../value/value.tsx";
import { machineItems } from "./machine.ts";
import { Item } from "./now-panel.tsx";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";

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
      empty={
        loaded.value?.length === 0 ? (
          <p>
            {node.facts_timestamp === null
              ? "No facts of this node are stored."
              : "None of its facts says what machine it is."}
          </p>
        ) : undefined
      }
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
