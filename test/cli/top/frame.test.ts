import { describe, expect, it } from "vitest";
import { displayWidth } from "#cli/output/fit.ts";
import { barWidths, frameOf } from "#cli/top/frame.ts";
import type { Detail, State } from "#cli/top/state.ts";
import { after, fleet, issue, node, NOW, state } from "./fleets.ts";

const sizes = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
  { columns: 120, rows: 40 },
] as const;

const hostile = "\u001b[2J\r\nfake line\u0007 \u202e漢字漢字 👩‍👩‍👧‍👦 \u200b שלום é\u0301";

/** A fleet whose every text is hostile or wide. */
const hostileFleet = fleet({
  nodes: [
    node(`${hostile}.example.com`, { state: "failed", environment: hostile }),
    ...Array.from({ length: 50 }, (_, index) => node(`漢字漢字漢字-${index}.例え.example.com`, { state: "silent" })),
  ],
  issues: [
    issue(`File[${hostile}]`, [`${hostile}.example.com`], { message: `${hostile} `.repeat(40), class: hostile }),
  ],
});

const rows: Detail = {
  kind: "rows",
  rows: [
    {
      status: "failure",
      resource: hostile,
      message: hostile,
      declared: hostile,
      level: "err",
      source: hostile,
      time: hostile,
    },
    {
      status: hostile,
      end_time: hostile,
      hash: "abc",
      environment: hostile,
      name: hostile,
      value: { [hostile]: [hostile] },
    },
  ],
};

/** Pages with everything, by name. */
function pages(start: State): readonly [string, State][] {
  const certname = start.fleet.issues[0]?.nodes[0]?.certname ?? "";
  const names = [
    ...["reports", "events", "facts"].map((tab) => `node ${certname} ${tab}`),
    "report abc events",
    "report abc log",
  ];
  const details = new Map(names.map((name) => [name, rows]));
  const opened = after({ ...start, details }, "enter", "enter");
  const run = after(opened, "2", "down", "enter");
  return [
    ["issues", start],
    ["nodes", after(start, "2")],
    ["states", after(start, "3")],
    ["filter", after(start, "2", "/", ...Array.from("漢字"))],
    ["no match", after(start, "/", ...Array.from("nosuch"), "enter")],
    ["issue", after(start, "enter")],
    ["summary", opened],
    ["reports", after(opened, "2")],
    ["events", after(opened, "3")],
    ["facts", after(opened, "4")],
    ["run", run],
    ["log", after(run, "2")],
    ["help", after(start, "?")],
    ["gone", { ...start, link: { kind: "gone", since: NOW, at: new Date(NOW.getTime() + 90_000), reason: hostile } }],
  ];
}

describe.each(sizes)("a terminal of $columns × $rows", ({ columns, rows: height }) => {
  it.each(pages(state({ fleet: hostileFleet, columns, rows: height })))(
    "fits the page %s, for any data",
    (_name, current) => {
      const lines = frameOf(current, false);
      expect(lines).toHaveLength(height);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.join("")).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
    },
  );

  it("says what is broken, why and since when without a key", () => {
    const message = "change from 'stopped' to 'running' failed: Address already in use";
    const current = state({
      fleet: fleet({ issues: [issue("Service[ntp]", ["app-1"], { message })] }),
      columns,
      rows: height,
    });
    const line = frameOf(current, false).find((text) => text.includes("▸")) ?? "";
    expect(line).toMatch(/^▸ +1 +3 h {2}Service\[ntp\] +Address already/);
  });
});

it("fits into terminals that are too small for anything", () => {
  for (const [columns, height] of [
    [1, 1],
    [5, 3],
    [20, 5],
    [300, 4],
  ] as const) {
    for (const [, current] of pages(state({ fleet: hostileFleet, columns, rows: height }))) {
      const lines = frameOf(current, true);
      expect(lines.length).toBeLessThanOrEqual(height);
    }
  }
});

it("shows each state with its sign, with and without colours", () => {
  const [, counts, bar] = frameOf(state({ columns: 40 }), false);
  expect([counts, bar]).toEqual([
    "✖ 2 failed  ▲ 1 changed  ○ 1 unchanged",
    "✖".repeat(20) + "▲".repeat(10) + "○".repeat(10),
  ]);
  const coloured = frameOf(state({ columns: 40 }), true).join("\n");
  expect(coloured).toContain(`\u001b[31m${"✖".repeat(20)}\u001b[39m`);
  // The chosen row is inverse, and marked.
  expect(coloured).toContain("\u001b[7m▸ ");
});

it("keeps a column for every state in the bar", () => {
  expect(barWidths([1000, 1, 1], 10)).toEqual([8, 1, 1]);
  expect(barWidths([1], 10)).toEqual([10]);
  expect(barWidths([3, 3, 3], 10)).toEqual([4, 3, 3]);
  for (const size of barWidths([1, 1, 1, 1], 2)) expect(size).toBe(1);
});

it("scrolls to the chosen row", () => {
  const nodes = Array.from({ length: 200 }, (_, index) => node(`n-${String(index).padStart(3, "0")}`));
  const text = (...keys: string[]): string =>
    frameOf(after(state({ fleet: fleet({ nodes }) }), "2", ...keys), false).join("\n");
  expect(text()).toMatch(/▸ ○ unchanged +n-000/);
  expect(text("G")).toMatch(/▸ ○ unchanged +n-199/);
  expect(text("G")).not.toContain("n-100");
  expect(text(...Array.from("j".repeat(100)))).toMatch(/▸ ○ unchanged +n-100/);
});

it("says since when a source does not answer", () => {
  const at = new Date(NOW.getTime() + 125_000);
  const lines = frameOf(state({ link: { kind: "gone", since: NOW, at, reason: "connection refused" } }), false);
  expect(lines[1]).toMatch(/^✖ no answer since \d\d:\d\d:\d\d \(2 min\): connection refused$/);
  expect(lines.join("\n")).toContain("Service[ntp]");
});

it("marks times that may be longer", () => {
  const lines = frameOf(state(), false);
  expect(lines.find((line) => line.includes("motd"))).toMatch(/ >2 d {2}File/);
});
