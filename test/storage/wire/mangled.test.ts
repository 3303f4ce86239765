import { describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { commandNames, commands, type CommandName } from "#storage/wire/commands.ts";
import { eventsOf } from "#storage/wire/events.ts";
import { WireError } from "#storage/wire/problems.ts";
import { readCommand } from "#storage/wire/read.ts";
import { mangled } from "./mangled.ts";
import { RECEIVED, catalog, facts, inputs, report } from "./payloads.ts";

/** A payload of any version with any part replaced is read or rejected; no other exception is thrown. */

const PAYLOADS: Record<CommandName, Json> = {
  "replace catalog": catalog(),
  "replace facts": facts({ package_inventory: [["bash", "5.1", "apt"]] }),
  "store report": report({ resource_events: report()["resources"] ?? null }),
  "deactivate node": { certname: "web-01", producer_timestamp: null },
  "replace catalog inputs": inputs(),
  "configure expiration": { certname: "web-01", expire: { facts: true } },
};

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
