import { describe, expect, it } from "vitest";
import { stringifyJson } from "#storage/json.ts";
import { currentDocument } from "#storage/wire/current.ts";
import { readCommand } from "#storage/wire/read.ts";
import { catalog, event, facts, RECEIVED as received, report, UUID, without } from "./payloads.ts";

const UPGRADED = [
  ["replace catalog", 9, catalog()],
  ["replace catalog", 8, catalog()],
  ["replace catalog", 7, without(catalog({ transaction_uuid: UUID }), "catalog_uuid")],
  [
    "replace facts",
    3,
    without(
      { ...facts(), name: "web-01", "producer-timestamp": "2024-01-02T03:04:05Z" },
      "certname",
      "producer_timestamp",
      "producer",
    ),
  ],
  ["store report", 8, report()],
  [
    "store report",
    5,
    without(
      {
        ...report(),
        resource_events: [
          event({ resource_type: "File", resource_title: "/x", file: null, line: null, containment_path: null }),
        ],
      },
      "resources",
    ),
  ],
] as const;

describe("a document in the newest version", () => {
  it.each(UPGRADED)("of %s %d is read as the command itself", (command, version, payload) => {
    const current = currentDocument({ command, version, payload, received });
    const newest = { "replace catalog": 9, "replace facts": 5, "store report": 8 }[command];
    const read = readCommand({ command, version: newest, payload: current, received });
    expect(read).toEqual(readCommand({ command, version, payload, received }));
  });

  it("of a catalog in a string is the content of the string", () => {
    const payload = stringifyJson(catalog());
    expect(currentDocument({ command: "replace catalog", version: 9, payload, received })).toEqual(catalog());
  });

  it.each([
    ["replace facts", 1, facts(), "Unsupported command replace facts version 1"],
    ["replace facts", 5, "{}", "replace facts v5: the payload is not an object"],
    ["replace catalog", 9, "{", "replace catalog v9: the payload is not an object"],
    ["store report", 3, [], "store report v8: the payload is not an object"],
    ["configure expiration", 1, null, "configure expiration v1: the payload is not an object"],
  ] as const)("does not exist for %s %d %j", (command, version, payload, message) => {
    expect(() => currentDocument({ command, version, payload: payload as never, received })).toThrow(message);
  });
});
