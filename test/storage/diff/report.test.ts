import { describe, expect, it } from "vitest";
import { compareReports, type Report, type ReportEvent, type ReportLog } from "#storage/diff/report.ts";

const started: ReportEvent = {
  resource_type: "Service",
  resource_title: "nginx",
  property: "ensure",
  status: "success",
  old_value: "stopped",
  new_value: "running",
  message: "ensure changed",
  corrective_change: false,
};
const said: ReportLog = { level: "notice", source: "Puppet", message: "done" };
const report: Report = {
  head: { status: "changed", noop: false },
  events: [started],
  metrics: { events: { success: 1, failure: 0 }, resources: { total: 10 } },
  logs: [said],
};
const none = { head: [], events: [], metrics: [], logs: [] };
const nginx = { type: "Service", title: "nginx", property: "ensure" };

describe("differences between two reports", () => {
  it.each<[name: string, to: Partial<Report>, expected: object]>([
    ["that say the same", {}, {}],
    [
      "of another status",
      { head: { status: "failed", noop: false } },
      { head: [{ kind: "changed", path: ["status"], from: "changed", to: "failed" }] },
    ],
    ["of which one has an event more", { events: [] }, { events: [{ ...nginx, kind: "removed", from: started }] }],
    [
      "with an event that came to something else",
      { events: [{ ...started, status: "failure", message: "no such unit" }] },
      {
        events: [
          {
            ...nginx,
            kind: "changed",
            changes: [
              { kind: "changed", path: ["message"], from: "ensure changed", to: "no such unit" },
              { kind: "changed", path: ["status"], from: "success", to: "failure" },
            ],
          },
        ],
      },
    ],
    [
      "with an event of another property",
      { events: [{ ...started, property: "enable" }] },
      {
        events: [
          { ...nginx, property: "enable", kind: "added", to: { ...started, property: "enable" } },
          { ...nginx, kind: "removed", from: started },
        ],
      },
    ],
    [
      "with the same event twice, the second time otherwise",
      { events: [started, { ...started, status: "failure" }] },
      { events: [{ ...nginx, kind: "added", to: { ...started, status: "failure" } }] },
    ],
    [
      "with other figures",
      { metrics: { events: { success: 1, failure: 2 }, time: { total: 1.5 } } },
      {
        metrics: [
          { kind: "changed", path: ["events", "failure"], from: 0, to: 2 },
          { kind: "removed", path: ["resources"], from: { total: 10 } },
          { kind: "added", path: ["time"], to: { total: 1.5 } },
        ],
      },
    ],
    [
      "with other lines in the log, one of them said once more",
      { logs: [said, said, { ...said, level: "err" }] },
      {
        logs: [
          { kind: "added", log: said },
          { kind: "added", log: { ...said, level: "err" } },
        ],
      },
    ],
  ])("%s", (_name, changes, expected) => {
    expect(compareReports(report, { ...report, ...changes })).toStrictEqual({ ...none, ...expected });
  });
});
