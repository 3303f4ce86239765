import { describe, expect, it } from "vitest";
import { nodeLines, reportLines } from "#cli/diff/node-lines.ts";
import { summaryLines } from "#cli/diff/summary-lines.ts";
import { writeLines } from "#cli/diff/writers.ts";
import { type TreeLine, valueLines } from "#cli/diff/value-lines.ts";
import type { NodeChange } from "#storage/diff/changes.ts";
import type { CommonChange } from "#storage/diff/summary.ts";
import { compareValues, pathText } from "#storage/diff/values.ts";
import { type Json, parseJson } from "#storage/json.ts";

async function drawn(lines: readonly TreeLine[], columns = Number.POSITIVE_INFINITY): Promise<string[]> {
  let text = "";
  const output = {
    write: (piece: string) => {
      text += piece;
      return Promise.resolve();
    },
  };
  await writeLines(lines, { coloured: false, columns }, output);
  return text.split("\n").slice(0, -1);
}

describe("a value", () => {
  it.each<[name: string, from: string, to: string, expected: string[]]>([
    ["with all its digits", "9007199254740993", "1.0", ["~ it: 9007199254740993 → 1.0"]],
    ["that is a text, in quotes", '"1"', "1", ['~ it: "1" → 1']],
    [
      "that could move the cursor, harmless",
      String.raw`"a"`,
      String.raw`"\u001b[2J\u009b\n"`,
      [String.raw`~ it: "a" → "\u001b[2J\u009b\n"`],
    ],
    [
      "of several lines, by the lines that differ",
      String.raw`"1\n2\n3\n4\n5\n6"`,
      String.raw`"1\n2\n3\n4\nfive\n6"`,
      ["~ it:", "  @ line 4", "   4", "  -5", "  +five", "   6", String.raw`  \ No newline at end of file`],
    ],
    ["of several lines that were one, as a whole", '"1"', String.raw`"1\n2"`, [String.raw`~ it: "1" → "1\n2"`]],
    ["that is a list, by its elements", '["a","b","b"]', '["b","c"]', ["~ it:", '  - "a"', '  - "b"', '  + "c"']],
    [
      "that is a list in another order, element by element",
      '["a","b"]',
      '["b","a"]',
      ['~ it[0]: "a" → "b"', '~ it[1]: "b" → "a"'],
    ],
    ["that is nested and came, on one line", "{}", '{"a":{"b":[1.50]}}', ['+ it.a: {"b":[1.50]}']],
  ])("%s", async (_name, from, to, expected) => {
    const changes = compareValues(parseJson(from), parseJson(to), ["it"]);
    const lines = changes.flatMap((change) => valueLines(0, pathText(change.path), change));
    expect(await drawn(lines)).toStrictEqual(expected);
  });

  it("with many changes is shown as a whole", async () => {
    const [line, ...more] = await drawn(
      valueLines(0, "it", { kind: "changed", path: [], from: lines("a"), to: lines("b") }),
    );
    expect(line).toMatch(/^~ it: "a 0\\na 1\\n.* → "b 0\\n/);
    expect(more).toStrictEqual([]);
  });
});

const node: NodeChange = {
  kind: "changed",
  certname: "web-01",
  to_certname: "web-02",
  summary: [
    { kind: "removed", path: ["catalog"], from: { environment: "production" } },
    { kind: "added", path: ["factset", "environment"], to: "staging" },
  ],
  facts: [{ kind: "added", path: ["os", "a.b"], to: 1 }],
  packages: [{ kind: "changed", path: ["dpkg", "openssl"], from: "3.0.15", to: "3.0.17" }],
  resources: [
    {
      kind: "removed",
      type: "File",
      title: "a\nb",
      from: { type: "File", title: "a\nb", parameters: { mode: "0644" }, exported: true },
    },
  ],
  edges: [],
  report: { head: [], events: [], metrics: [], logs: [] },
  volatile: 0,
};

describe("a node", () => {
  it("is a tree of the parts in which it differs", async () => {
    expect(await drawn(nodeLines(node))).toStrictEqual([
      "~ web-01 → web-02",
      "  - catalog",
      '  + factset.environment: "staging"',
      "  facts",
      '    + os."a.b": 1',
      "  packages",
      '    ~ openssl (dpkg): "3.0.15" → "3.0.17"',
      "  resources",
      String.raw`    - File[a\nb]`,
      '      mode: "0644"',
      "      exported: true",
    ]);
  });

  it("is cut to the width of the terminal", async () => {
    expect((await drawn(nodeLines(node), 12)).slice(0, 3)).toStrictEqual([
      "~ web-01 →…",
      "  - catalog",
      "  + factset…",
    ]);
  });

  it("that is on one side only is a line", async () => {
    expect(await drawn(nodeLines({ kind: "added", certname: "web-03", to: {} }))).toStrictEqual(["+ web-03"]);
  });
});

it("the tree of a report shows the change of each event", async () => {
  const lines = reportLines(0, {
    head: [{ kind: "changed", path: ["noop"], from: false, to: true }],
    events: [
      {
        kind: "changed",
        type: "Service",
        title: "cron",
        property: "ensure",
        changes: [{ kind: "changed", path: ["status"], from: "success", to: "failure" }],
      },
      {
        kind: "added",
        type: "Exec",
        title: "x",
        property: null,
        to: {
          resource_type: "Exec",
          resource_title: "x",
          property: null,
          status: "skipped",
          old_value: null,
          new_value: null,
          message: null,
          corrective_change: null,
        },
      },
    ],
    metrics: [],
    logs: [{ kind: "added", log: { level: "err", source: "Puppet", message: "two\nlines" } }],
  });
  expect(await drawn(lines)).toStrictEqual([
    "~ noop: false → true",
    "events",
    "  ~ Service[cron]::ensure",
    '    ~ status: "success" → "failure"',
    "  + Exec[x]: skipped",
    "log",
    String.raw`  + err Puppet: two\nlines`,
  ]);
});

describe("a change that several nodes share", () => {
  const counts = { added: 0, removed: 1, changed: 3, same: 4 };

  it("is shown with its values, one on the line, several below it", async () => {
    const lines = summaryLines(
      {
        nodes: counts,
        volatile: 1,
        common: [
          common("kernel", { nodes: 3, transitions: [{ from: 1, to: 2, nodes: 3 }] }),
          common("role", {
            transitions: [
              { from: "a", to: "b", nodes: 1 },
              { from: "a", to: "c", nodes: 1 },
            ],
          }),
          common("File[x]", { part: "resources", kind: "added" }),
          common("alone", { nodes: 1 }),
        ],
      },
      false,
    );
    expect(await drawn(lines)).toStrictEqual([
      "",
      "On several nodes",
      "  ~ fact kernel on 3 nodes: 1 → 2",
      "  ~ fact role on 2 nodes",
      '    1 × "a" → "b"',
      '    1 × "a" → "c"',
      "  + File[x] on 2 nodes",
      "",
      "3 nodes differ, 0 added, 1 removed, 4 identical",
      "1 volatile difference hidden; show with --volatile",
    ]);
  });

  it("is abbreviated if there are many", async () => {
    const many = Array.from({ length: 22 }, (_, index) => common(`fact_${index}`, {}));
    const lines = await drawn(summaryLines({ nodes: counts, volatile: 0, common: many }, false));
    expect(lines.slice(-4)).toStrictEqual([
      "  ~ fact fact_19 on 2 nodes",
      "  and 2 more",
      "",
      "3 nodes differ, 0 added, 1 removed, 4 identical",
    ]);
  });
});

/** A text of many lines, none of which is in that of another word. */
function lines(word: string): Json {
  return Array.from({ length: 3000 }, (_, line) => `${word} ${line}`).join("\n");
}

/** A fact that differs on two nodes, unless something else is said. */
function common(place: string, changes: Partial<CommonChange>): CommonChange {
  return { part: "facts", kind: "changed", place, nodes: 2, transitions: [], ...changes };
}
