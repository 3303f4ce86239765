import { describe, expect, it } from "vitest";
import { contentOf } from "#cli/top/content.ts";
import { missingDetail } from "#cli/top/keys.ts";
import type { State } from "#cli/top/state.ts";
import { after, fleet, issue, node, state } from "./fleets.ts";

/** The first cells of the rows that are listed, the chosen one with a mark. */
function listed(current: State, cell = 0): string[] {
  const { rows, chosen } = contentOf(current);
  return rows.map((row, index) => `${index === chosen ? "> " : ""}${row.cells()[cell]}`);
}

const nodes = (current: State): string[] => listed(current, 1);
const tab = (current: State): number | undefined => current.pages.at(-1)?.tab;
/** The keys that filter the nodes. */
const typed = (text: string): readonly string[] => ["2", "/", ...Array.from(text)];
const subjects = (current: State): string[] => current.pages.map(({ subject }) => subject.kind);

describe("moving", () => {
  it("chooses rows and stays in the list", () => {
    const start = after(state(), "2");
    expect(nodes(after(start, "down"))).toEqual([
      "app-1.example.com",
      "> app-2.example.com",
      "db-2.example.com",
      "db-1.example.com",
    ]);
    expect(nodes(after(start, "up", "up"))[0]).toBe("> app-1.example.com");
    expect(nodes(after(start, "G", "down"))[3]).toBe("> db-1.example.com");
    expect(nodes(after(start, "end", "home"))[0]).toBe("> app-1.example.com");
    expect(nodes(after(start, "page-down", "page-up"))[0]).toBe("> app-1.example.com");
  });

  it("does nothing in an empty list", () => {
    const empty = state({ fleet: fleet({ nodes: [], issues: [] }) });
    expect(listed(after(empty, "down", "G", "enter", "s"))).toEqual([]);
  });

  it("keeps the chosen row when rows come before it or are read again", () => {
    const chosen = after(state(), "2", "down");
    const more = { ...chosen, fleet: fleet({ nodes: [node("aaa", { state: "failed" }), ...chosen.fleet.nodes] }) };
    expect(nodes(more)).toContain("> app-2.example.com");
    const gone = { ...chosen, fleet: fleet({ nodes: chosen.fleet.nodes.slice(0, 1) }) };
    expect(nodes(gone)).toEqual(["> app-1.example.com"]);
  });
});

describe("opening", () => {
  it("goes from an issue to a node to a run, and back with Escape", () => {
    const opened = after(state(), "enter", "enter");
    expect(subjects(opened)).toEqual(["fleet", "issue", "node"]);
    expect(missingDetail(opened)).toBe("node app-1.example.com summary");
    const reports = after(opened, "2");
    expect(missingDetail(reports)).toBe("node app-1.example.com reports");
    const rows = [{ status: "failed", end_time: "2026-11-20T11:45:00Z", hash: "abc" }];
    const read = {
      ...reports,
      details: new Map([["node app-1.example.com reports", { kind: "rows", rows } as const]]),
    };
    expect(missingDetail(read)).toBeUndefined();
    const run = after(read, "enter");
    expect(subjects(run)).toEqual(["fleet", "issue", "node", "report"]);
    expect(missingDetail(run)).toBe("report abc events");
    expect(subjects(after(run, "escape"))).toEqual(["fleet", "issue", "node"]);
    expect(subjects(after(run, "escape", "left", "backspace", "escape", "escape"))).toEqual(["fleet"]);
  });

  it("lists the nodes in a state", () => {
    const opened = after(state(), "3", "down", "enter");
    expect(opened.pages.at(-1)?.subject).toEqual({ kind: "state", state: "changed" });
    expect(listed(opened)).toEqual(["> db-2.example.com"]);
  });

  it("comes back to the row that it left", () => {
    expect(nodes(after(state(), "2", "down", "enter", "escape"))[1]).toBe("> app-2.example.com");
  });
});

describe("lists", () => {
  it("turn with Tab and numbers; there are no others", () => {
    expect([after(state(), "tab"), after(state(), "shift-tab"), after(state(), "tab", "tab", "tab")].map(tab)).toEqual([
      1, 2, 0,
    ]);
    expect(tab(after(state(), "4"))).toBe(0);
  });

  it("are sorted by the next column", () => {
    expect(listed(state(), 2)).toEqual(["> Service[ntp]", "File[/etc/motd]"]);
    expect(listed(after(state(), "s", "s"), 2)).toEqual(["> File[/etc/motd]", "Service[ntp]"]);
    expect(nodes(after(state(), "2", "s", "s"))[0]).toContain("app-2.example.com");
    expect(listed(after(state(), "s", "s", "s"), 2)).toEqual(listed(state(), 2));
  });
});

describe("a filter", () => {
  it("selects rows with all its words while it is typed, in any case", () => {
    expect(nodes(after(state(), ...typed("APP")))).toEqual(["> app-1.example.com", "app-2.example.com"]);
    expect(nodes(after(state(), ...typed("example ntp 2")))).toEqual(["> app-2.example.com"]);
    expect(nodes(after(state(), ...typed("nosuch")))).toEqual([]);
  });

  it("takes letters that are keys otherwise, and can be corrected", () => {
    const current = after(state(), ...typed("dbq"), "backspace", "enter");
    expect(current.exit).toBeUndefined();
    expect(nodes(current)).toEqual(["> db-2.example.com", "db-1.example.com"]);
    expect(nodes(after(current, "down"))).toEqual(["db-2.example.com", "> db-1.example.com"]);
    expect(nodes(after(current, "/", "ctrl-u"))).toHaveLength(4);
  });

  it("is removed by Escape, which then leaves the page", () => {
    const page = after(state(), "enter", "/", "x", "enter");
    expect(after(page, "escape").pages).toHaveLength(2);
    expect(after(page, "escape", "escape").pages).toHaveLength(1);
    expect(after(state(), ...typed("x"), "escape").isTyping).toBe(false);
  });

  it("ignores keys without a character, and has a longest text", () => {
    const current = after(state(), "/", "f1", "\u0007", "ctrl-x", ...Array.from("y".repeat(500)));
    expect(contentOf(current).list.rows).toHaveLength(2);
    expect(current.pages[0]?.views[0]?.filter).toBe("y".repeat(200));
  });
});

describe("other keys", () => {
  it("quit, and interrupt from everywhere", () => {
    expect(after(state(), "q").exit).toBe(0);
    expect(after(state(), "?", "q").exit).toBe(0);
    expect(after(state(), "/", "ctrl-c").exit).toBe(130);
  });

  it("show the help until the next key", () => {
    expect(after(state(), "?").isHelp).toBe(true);
    expect(after(state(), "?", "down").isHelp).toBe(false);
  });

  it("request new data from the source", () => {
    expect(after(state(), "r", "r").refreshes).toBe(2);
  });

  it("without a meaning do nothing", () => {
    const current = state();
    expect(after(current, "x", "constructor", "__proto__", "f5", "0")).toBe(current);
  });
});

it("an issue that is over says so on its page", () => {
  const opened = after(state(), "enter");
  const over = { ...opened, fleet: fleet({ issues: [issue("Other[x]", ["db-1.example.com"])] }) };
  expect(contentOf(over).list).toMatchObject({ rows: [], nothing: "This is not an issue any more." });
});
