import { describe, expect, it } from "vitest";
import { isObject, type Json } from "#storage/json.ts";
import { commandNames, commands, type CommandName } from "#storage/wire/commands.ts";
import { eventsOf } from "#storage/wire/events.ts";
import { WireError } from "#storage/wire/problems.ts";
import { readCommand } from "#storage/wire/read.ts";
import { RECEIVED, catalog, facts, inputs, report } from "./payloads.ts";

/** Whatever is put in the place of any part of a payload, in whatever version: it is read or refused, nothing breaks. */

const PAYLOADS: Record<CommandName, Json> = {
  "replace catalog": catalog(),
  "replace facts": facts({ package_inventory: [["bash", "5.1", "apt"]] }),
  "store report": report({ resource_events: report()["resources"] ?? null }),
  "deactivate node": { certname: "web-01", producer_timestamp: null },
  "replace catalog inputs": inputs(),
  "configure expiration": { certname: "web-01", expire: { facts: true } },
};

const STRANGERS: readonly Json[] = [null, true, 1, -1.5, "", "x\0\ud800", [], {}, [null], [[]], [{}], { a: null }];

/** Every payload that has a stranger in one place. */
function* mangled(value: Json): Generator<Json> {
  yield* STRANGERS;
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) for (const m of mangled(element)) yield value.with(index, m);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) for (const m of mangled(inner)) yield { ...value, [key]: m };
  }
}

function outcome(command: CommandName, version: number, payload: Json): "read" | "refused" {
  try {
    const read = readCommand({ command, version, payload, received: RECEIVED });
    if (read.command === "store report") eventsOf(read.payload);
    return "read";
  } catch (error) {
    if (error instanceof WireError) return "refused";
    throw error;
  }
}

describe.each(commandNames)("%s", (command) => {
  it.each([...commands[command].versions])("version %d", (version) => {
    for (const payload of mangled(PAYLOADS[command])) {
      expect(["read", "refused"]).toContain(outcome(command, version, payload));
    }
  });
});
