import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareEdges, compareResources, type Edge, type Resource, resourceText } from "#storage/diff/catalog.ts";

const motd: Resource = {
  type: "File",
  title: "/etc/motd",
  parameters: { ensure: "file", mode: "0644", require: ["Class[Base]", "User[root]"] },
  exported: false,
  tags: ["file", "motd"],
};
const other: Resource = { type: "Service", title: "cron", parameters: {}, exported: false, tags: [] };

describe("differences between the resources of two catalogs", () => {
  it.each<[name: string, from: Resource[], to: Resource[], expected: object[]]>([
    ["that are the same, in any order", [motd, other], [other, motd], []],
    ["of which one is new", [motd], [other, motd], [{ kind: "added", type: "Service", title: "cron", to: other }]],
    ["of which one is gone", [motd, other], [motd], [{ kind: "removed", type: "Service", title: "cron", from: other }]],
    [
      "with another title are other resources",
      [motd],
      [{ ...motd, title: "/etc/issue" }],
      [
        { kind: "added", type: "File", title: "/etc/issue", to: { ...motd, title: "/etc/issue" } },
        { kind: "removed", type: "File", title: "/etc/motd", from: motd },
      ],
    ],
    [
      "with parameters changed, added and removed",
      [motd],
      [{ ...motd, parameters: { ensure: "file", mode: "0600", owner: "root" } }],
      [
        {
          kind: "changed",
          type: "File",
          title: "/etc/motd",
          changes: [
            { kind: "changed", path: ["parameters", "mode"], from: "0644", to: "0600" },
            { kind: "added", path: ["parameters", "owner"], to: "root" },
            { kind: "removed", path: ["parameters", "require"], from: ["Class[Base]", "User[root]"] },
          ],
        },
      ],
    ],
    [
      "with a value inside a parameter",
      [{ ...other, parameters: { options: { a: [1, { b: 2 }] } } }],
      [{ ...other, parameters: { options: { a: [1, { b: 3 }] } } }],
      [
        {
          kind: "changed",
          type: "Service",
          title: "cron",
          changes: [{ kind: "changed", path: ["parameters", "options", "a", 1, "b"], from: 2, to: 3 }],
        },
      ],
    ],
    [
      "that are exported now, from elsewhere in the code",
      [{ ...other, file: "/a.pp", line: 1 }],
      [{ ...other, exported: true, file: "/a.pp", line: 2 }],
      [
        {
          kind: "changed",
          type: "Service",
          title: "cron",
          changes: [
            { kind: "changed", path: ["exported"], from: false, to: true },
            { kind: "changed", path: ["line"], from: 1, to: 2 },
          ],
        },
      ],
    ],
    ["whose tags are in another order", [motd], [{ ...motd, tags: ["motd", "file", "motd"] }], []],
    [
      "whose tags are others",
      [motd],
      [{ ...motd, tags: ["file", "base"] }],
      [
        {
          kind: "changed",
          type: "File",
          title: "/etc/motd",
          changes: [{ kind: "changed", path: ["tags"], from: ["file", "motd"], to: ["base", "file"] }],
        },
      ],
    ],
    [
      "with a value that is marked as sensitive, which stays as it is",
      [{ ...other, parameters: { password: { __ptype: "Sensitive", __pvalue: "old" } } }],
      [{ ...other, parameters: { password: "Sensitive [value redacted]" } }],
      [
        {
          kind: "changed",
          type: "Service",
          title: "cron",
          changes: [
            {
              kind: "changed",
              path: ["parameters", "password"],
              from: { __ptype: "Sensitive", __pvalue: "old" },
              to: "Sensitive [value redacted]",
            },
          ],
        },
      ],
    ],
  ])("%s", (_name, from, to, expected) => {
    expect(compareResources(from, to)).toStrictEqual(expected);
  });
});

const contains: Edge = {
  source_type: "Class",
  source_title: "Main",
  target_type: "File",
  target_title: "/etc/motd",
  relationship: "contains",
};

describe("differences between the edges of two catalogs", () => {
  it.each<[name: string, from: Edge[], to: Edge[], expected: object[]]>([
    ["that are the same", [contains], [{ ...contains }], []],
    ["of which one is new", [], [contains], [{ kind: "added", edge: contains }]],
    ["of which one is gone", [contains], [], [{ kind: "removed", edge: contains }]],
    [
      "of another relationship are other edges",
      [contains],
      [{ ...contains, relationship: "notifies" }],
      [
        { kind: "removed", edge: contains },
        { kind: "added", edge: { ...contains, relationship: "notifies" } },
      ],
    ],
  ])("%s", (_name, from, to, expected) => {
    expect(compareEdges(from, to)).toStrictEqual(expected);
  });
});

const catalogs = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom("File", "Service"),
    title: fc.constantFrom("a", "b", "c"),
    parameters: fc.dictionary(fc.constantFrom("ensure", "mode"), fc.constantFrom("x", "y"), { noNullPrototype: true }),
    exported: fc.boolean(),
    tags: fc.uniqueArray(fc.constantFrom("s", "t")),
  }),
  { selector: resourceText, maxLength: 6 },
);

describe("differences between any two catalogs", () => {
  it("contain exactly the resources that are not equal", () => {
    fc.assert(
      fc.property(catalogs, catalogs, (from, to) => {
        const names = new Set([...from, ...to].map(resourceText));
        const unequal = [...names].filter((name) => spelled(from, name) !== spelled(to, name)).sort();
        expect(compareResources(from, to).map(resourceText)).toStrictEqual(unequal);
      }),
    );
  });

  it("are none between equal ones, and mirrored in the other direction", () => {
    const mirror = { added: "removed", removed: "added", changed: "changed" } as const;
    fc.assert(
      fc.property(catalogs, catalogs, (from, to) => {
        expect(compareResources(from, structuredClone(from))).toStrictEqual([]);
        const mirrored = compareResources(to, from).map((change) => [mirror[change.kind], resourceText(change)]);
        expect(compareResources(from, to).map((change) => [change.kind, resourceText(change)])).toStrictEqual(mirrored);
      }),
    );
  });
});

function sorted<T>(object: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A resource of a catalog as a text that is the same for what is the same. */
function spelled(all: readonly Resource[], name: string): string | undefined {
  const found = all.find((resource) => resourceText(resource) === name);
  if (found === undefined) return undefined;
  return JSON.stringify({ ...found, parameters: sorted(found.parameters), tags: [...(found.tags ?? [])].sort() });
}
