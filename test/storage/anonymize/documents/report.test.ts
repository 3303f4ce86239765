import { describe } from "vitest";
import { exactNumber, type JsonObject } from "#storage/json.ts";
import { x, tag, web, host, by, judge } from "../judged.ts";

const title = (text: string): string => x("title", text);
const type = (text: string): string => x("type", text);

describe("a report", () => {
  judge("store report", (part) => part as JsonObject, [
    [
      "what is no one's secret",
      { status: "changed", noop: false, puppet_version: "8.1.0", type: "agent", report_format: 12, logs: null },
      {},
    ],
    [
      "its version",
      { configuration_version: "qa-1" },
      by("full moderate", { configuration_version: x("version", "qa-1") }),
    ],
  ]);
});

describe("a resource of a report", () => {
  judge("store report", (part) => ({ resources: [part] }), [
    [
      "containment",
      { containment_path: ["Stage[main]", "Acme", "", "File[/a]", "[odd"] },
      {
        full: {
          containment_path: [
            `${x("type", "Stage")}[${x("title", "main")}]`,
            x("title", "Acme"),
            "",
            `${x("type", "File")}[${x("title", "/a")}]`,
            x("title", "[odd"),
          ],
        },
        moderate: {
          containment_path: ["Stage[main]", x("title", "Acme"), "", `File[${x("title", "/a")}]`, x("title", "[odd")],
        },
      },
    ],
    [
      "an event",
      {
        resource_type: "Package",
        resource_title: "ntp",
        events: [
          { property: "ensure", name: "ensure_changed", old_value: "a", new_value: null, message: "a became b" },
        ],
      },
      {
        full: {
          resource_type: x("type", "Package"),
          resource_title: x("title", "ntp"),
          events: [
            {
              property: x("parameter-name", "ensure"),
              name: x("parameter-name", "ensure_changed"),
              old_value: x("parameter-value", "a"),
              new_value: null,
              message: x("message", "a became b"),
            },
          ],
        },
        ...by("moderate low", {
          resource_type: "Package",
          resource_title: "ntp",
          events: [
            {
              property: "ensure",
              name: "ensure_changed",
              old_value: x("parameter-value", "a"),
              new_value: null,
              message: x("message", "a became b"),
            },
          ],
        }),
      },
    ],
  ]);
});

describe("a log line", () => {
  judge("store report", (part) => ({ logs: [part] }), [
    [
      "message and level",
      { message: "ran", level: "info", tags: ["info"], line: null },
      {
        ...by("full moderate", { message: "???", level: "info", tags: [tag("Info")], line: null }),
        low: { message: "???", level: "info", tags: ["info"], line: null },
      },
    ],
  ]);

  judge("store report", (part) => ({ logs: [{ source: part }] }), [
    ["from a part of the agent", "Puppet", by("full moderate", type("Puppet"))],
    [
      "from a resource",
      "/Stage[main]/Acme/File[/etc/a.conf]/content",
      {
        full: `/${type("Stage")}[${title("main")}]/${title("Acme")}/${type("File")}[${title("/etc/a.conf")}]/${x("parameter-name", "content")}`,
        moderate: `/Stage[main]/${title("Acme")}/File[${title("/etc/a.conf")}]/content`,
      },
    ],
    [
      "from a reference",
      "Class[Acme]",
      { full: `${type("Class")}[${title("Acme")}]`, moderate: `Class[${title("Acme")}]` },
    ],
    ["from a class alone", "/acme", by("full moderate", `/${title("acme")}`)],
    ["from what cannot be taken apart", "/File[a]b/c", by("full moderate", title("/File[a]b/c"))],
    [
      "from a node's resource",
      `//${web}/Acme`,
      { ...by("full moderate", `//${title(web)}/${title("Acme")}`), low: `//${host}/Acme` },
    ],
  ]);
});

describe("a metric", () => {
  judge("store report", (part) => ({ metrics: [part] }), [
    [
      "a time is recognised by its type",
      { category: "time", name: "acme_pump", value: exactNumber("1.0") as number },
      by("full moderate", { category: "time", name: tag("Acme_pump"), value: exactNumber("1.0") as number }),
    ],
    [
      "of a built-in type",
      { category: "time", name: "file", value: 1 },
      by("full", { category: "time", name: tag("File"), value: 1 }),
    ],
    ["others are counts", { category: "resources", name: "changed", value: 7 }, {}],
  ]);
});
