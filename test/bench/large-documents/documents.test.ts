import { describe, expect, it } from "vitest";
import { leafCount } from "#fixtures/facts.ts";
import type { JsonObject } from "#storage/json.ts";
import { prepare } from "#storage/ingest/prepare.ts";
import { requestOf } from "../requests.ts";
import { submissionOf } from "../submission.ts";
import { type DocumentKind, documentKinds, largeDocuments } from "./documents.ts";

const few = Object.fromEntries(documentKinds.map((kind) => [kind, largeDocuments(kind, 0, 3)])) as Readonly<
  Record<DocumentKind, ReturnType<typeof largeDocuments>>
>;

function payloadsOf(kind: DocumentKind): JsonObject[] {
  return few[kind].commands.map(({ payload }) => JSON.parse(payload) as JsonObject);
}

describe("large documents", () => {
  it.each(documentKinds)("are %s of different nodes that can be stored", (kind) => {
    const { commands, stored } = few[kind];
    expect(stored.count).toBe(3);
    expect(new Set(commands.map(({ certname }) => certname)).size).toBe(3);
    for (const command of commands) {
      expect(prepare(submissionOf(requestOf(command), 0n))).toMatchObject({
        kind: "full",
        command: command.command.replaceAll("_", " "),
        certname: command.certname,
      });
    }
  });

  it.each(["catalogs", "facts"] as const)("are as many %s as wanted, though some nodes have none", (kind) => {
    // Two of these nodes have no catalog, and one has no facts.
    const { commands } = largeDocuments(kind, 5, 7);
    expect(commands).toHaveLength(7);
  });

  it("have the sizes that the tables say", () => {
    const sizes = documentKinds.map((kind) => {
      const bytes = few[kind].commands.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
      return Math.round(bytes / few[kind].commands.length / 10_000) / 100;
    });
    expect(sizes[0]).toBeCloseTo(0.64, 1);
    expect(sizes[1]).toBeGreaterThan(4);
    expect(sizes[1]).toBeLessThan(5);
    expect(sizes[2]).toBeCloseTo(0.2, 1);
  });

  it("are catalogs of 1,000 resources and facts of 8,000 values", () => {
    for (const { resources } of payloadsOf("catalogs")) expect((resources as unknown[]).length).toBe(1000);
    for (const { values = null } of payloadsOf("facts")) expect(leafCount(values)).toBeCloseTo(8000, -2);
  });

  it("are reports of 10,000 resources, of which one in twenty has events that the log has too", () => {
    for (const { resources, logs } of payloadsOf("reports")) {
      const listed = resources as { resource_type: string; events: unknown[] }[];
      expect(listed).toHaveLength(10_000);
      expect(listed.filter(({ events }) => events.length > 0)).toHaveLength(500);
      expect(listed.some(({ resource_type }) => resource_type === "Class")).toBe(false);
      expect((logs as unknown[]).length).toBeGreaterThan(500);
    }
  });
});
