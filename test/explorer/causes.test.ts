import { describe, expect, test } from "vitest";
import { findCauses } from "#app/explorer/pages/report/causes.ts";
import type { CatalogEdge, LogLine, ReportEvent } from "#app/explorer/pages/report/rows.ts";
import { parseRef, parseSource, refText } from "#app/explorer/pages/value/text.ts";

function event(ref: string, fields: Partial<ReportEvent> = {}): ReportEvent {
  const { type, title } = parseRef(ref) ?? { type: "", title: ref };
  return {
    status: "failure",
    timestamp: "2026-11-20T11:00:00Z",
    resource_type: type,
    resource_title: title,
    property: null,
    old_value: null,
    new_value: null,
    message: null,
    file: null,
    line: null,
    containing_class: null,
    corrective_change: null,
    ...fields,
  };
}

const skipped = (ref: string): ReportEvent => event(ref, { status: "skipped" });

function line(message: string, fields: Partial<LogLine> = {}): LogLine {
  return {
    level: "err",
    message,
    source: "Puppet",
    time: "2026-11-20T11:00:00Z",
    file: null,
    line: null,
    tags: null,
    ...fields,
  };
}

/** `A contains B`, `A before B` */
function edges(...texts: readonly string[]): CatalogEdge[] {
  return texts.map((text) => {
    const [, from = "", relationship = "", to = ""] = /^(\S+) (\S+) (\S+)$/.exec(text) ?? [];
    const source = parseRef(from);
    const target = parseRef(to);
    if (source === undefined || target === undefined) throw new Error(`no edge: ${text}`);
    return {
      relationship,
      source_type: source.type,
      source_title: source.title,
      target_type: target.type,
      target_title: target.title,
    };
  });
}

function chains(found: ReturnType<typeof findCauses>): Record<string, string[]> {
  return Object.fromEntries(
    found.list.map((cause) => [
      cause.resource === undefined ? cause.kind : refText(cause.resource),
      cause.skipped().map(({ resource, after }) => `${refText(resource)} after ${refText(after)}`),
    ]),
  );
}

describe("skipped resources, by the edges of the catalog", () => {
  test("follow a chain of dependencies, nearest first", () => {
    const found = findCauses({
      events: [event("Package[nginx]"), skipped("Service[nginx]"), skipped("File[/etc/nginx.conf]")],
      logs: [],
      edges: edges("Package[nginx] before File[/etc/nginx.conf]", "File[/etc/nginx.conf] notifies Service[nginx]"),
    });
    expect(chains(found)).toEqual({
      "Package[nginx]": ["File[/etc/nginx.conf] after Package[nginx]", "Service[nginx] after File[/etc/nginx.conf]"],
    });
    expect(found).toMatchObject({ basis: "catalog", unexplained: [] });
  });

  test("are all resources inside of a class that waits for the class of the failed one", () => {
    const found = findCauses({
      events: [event("Package[a]"), skipped("File[/b]"), skipped("Exec[c]")],
      logs: [],
      edges: edges(
        "Class[A] contains Package[a]",
        "Class[A] required-by Class[B]",
        "Class[B] contains File[/b]",
        "Class[B] contains B::Part[p]",
        "B::Part[p] contains Exec[c]",
      ),
    });
    expect(chains(found)).toEqual({ "Package[a]": ["File[/b] after Package[a]", "Exec[c] after Package[a]"] });
  });

  test("are not the other resources of the failed one's class", () => {
    const found = findCauses({
      events: [event("Package[a]"), skipped("File[/b]")],
      logs: [],
      edges: edges("Class[A] contains Package[a]", "Class[A] contains File[/b]"),
    });
    expect(chains(found)).toEqual({ "Package[a]": [] });
    expect(found.unexplained).toEqual([{ type: "File", title: "/b" }]);
  });

  test("are not what comes before the failed one", () => {
    const found = findCauses({
      events: [event("Package[a]"), skipped("File[/b]")],
      logs: [],
      edges: edges("File[/b] before Package[a]"),
    });
    expect(chains(found)).toEqual({ "Package[a]": [] });
  });

  test("belong to each failure that they wait for", () => {
    const found = findCauses({
      events: [event("Package[a]"), event("Package[b]"), skipped("Service[s]")],
      logs: [],
      edges: edges("Package[a] before Service[s]", "Package[b] before Service[s]"),
    });
    expect(chains(found)).toEqual({
      "Package[a]": ["Service[s] after Package[a]"],
      "Package[b]": ["Service[s] after Package[b]"],
    });
  });

  test("are found where thousands failed", () => {
    const numbers = Array.from({ length: 40_000 }, (_, at) => at);
    const found = findCauses({
      events: numbers.flatMap((at) => [event(`File[/f${at}]`), skipped(`File[/s${at}]`)]),
      logs: [],
      edges: numbers.flatMap((at) =>
        edges(`File[/f${at}] before File[/s${at}]`, `File[/s${at}] before File[/s${at + 1}]`),
      ),
    });
    expect(found.list).toHaveLength(40_000);
    expect(found.unexplained).toEqual([]);
    expect(found.list[39_998]?.skipped()).toHaveLength(2);
  });

  test("end where edges form a circle", () => {
    const found = findCauses({
      events: [event("Package[a]"), skipped("Service[s]")],
      logs: [],
      edges: edges("Package[a] before Service[s]", "Service[s] before Package[a]"),
    });
    expect(chains(found)).toEqual({ "Package[a]": ["Service[s] after Package[a]"] });
  });
});

describe("skipped resources, without a catalog", () => {
  const source = "/Stage[main]/Web/Service[nginx]";

  test("are found by the lines that name the dependency", () => {
    const found = findCauses({
      events: [event("Package[nginx]"), skipped("Service[nginx]"), skipped("File[/x]")],
      logs: [
        line("Dependency Package[nginx] has failures: true", { level: "notice", source }),
        line("Skipping because of failed dependencies", { level: "warning", source }),
      ],
      edges: undefined,
    });
    expect(chains(found)).toEqual({ "Package[nginx]": ["Service[nginx] after Package[nginx]"] });
    expect(found).toMatchObject({ basis: "log", unexplained: [{ type: "File", title: "/x" }] });
  });

  test("are a plain list when nothing says why", () => {
    const found = findCauses({
      events: [event("Package[nginx]"), skipped("Service[nginx]")],
      logs: [line("Skipping because of failed dependencies", { level: "warning", source })],
      edges: undefined,
    });
    expect(found).toMatchObject({ basis: "nothing", unexplained: [{ type: "Service", title: "nginx" }] });
  });
});

describe("failures", () => {
  test("of one resource are one cause with its properties, messages and place", () => {
    const found = findCauses({
      events: [
        event("File[/a]", {
          property: "content",
          message: "no space",
          file: "/m/init.pp",
          line: 4,
          containing_class: "M",
        }),
        event("File[/a]", { property: "mode", message: "no right" }),
        event("File[/b]", { status: "success", message: "fine" }),
      ],
      logs: [line("no space", { source: "/Stage[main]/M/File[/a]/content" })],
      edges: undefined,
    });
    expect(found.list).toMatchObject([
      {
        kind: "resource",
        resource: { type: "File", title: "/a" },
        properties: ["content", "mode"],
        messages: ["no space", "no right"],
        place: { file: "/m/init.pp", line: 4 },
        class: "M",
      },
    ]);
  });

  test("that only the log has are causes too", () => {
    const found = findCauses({
      events: [],
      logs: [
        line("Failed to call refresh: exit code 1", {
          source: "/Stage[main]/Web/Service[nginx]",
          file: "/m/web.pp",
          line: 7,
        }),
      ],
      edges: undefined,
    });
    expect(found.list).toMatchObject([
      { kind: "resource", resource: { type: "Service", title: "nginx" }, place: { file: "/m/web.pp", line: 7 } },
    ]);
  });

  test("to get a catalog are one cause, however many lines say so", () => {
    const found = findCauses({
      events: [],
      logs: [
        line("Could not retrieve catalog from remote server: Error 500 on SERVER: x"),
        line("Not using cache on failed catalog"),
        line("Could not retrieve catalog; skipping run"),
        line("all is well", { level: "notice" }),
      ],
      edges: undefined,
    });
    expect(found.list).toHaveLength(1);
    expect(found.list[0]).toMatchObject({ kind: "catalog", messages: { length: 3 } });
  });

  test("of the run come after those of resources, one for each message", () => {
    const found = findCauses({
      events: [event("File[/a]")],
      logs: [
        line("disk full", { level: "crit" }),
        line("disk full", { level: "crit" }),
        line("killed", { level: "alert" }),
      ],
      edges: undefined,
    });
    expect(found.list.map(({ kind, messages }) => [kind, ...messages])).toEqual([
      ["resource"],
      ["run", "disk full"],
      ["run", "killed"],
    ]);
  });

  test("are an empty list if nothing failed", () => {
    expect(findCauses({ events: [event("File[/a]", { status: "success" })], logs: [], edges: undefined }).list).toEqual(
      [],
    );
  });
});

describe("parseSource", () => {
  test.each([
    ["/Stage[main]/Motd/File[/etc/motd]/content", "File", "/etc/motd", "content"],
    ["/Stage[main]/Motd/File[/etc/motd]", "File", "/etc/motd", undefined],
    ["/Stage[main]/Web::Vhost[a/b]/Exec[run [x] /tmp/y]/returns", "Exec", "run [x] /tmp/y", "returns"],
    ["/Stage[main]/Role::Web", "Class", "Role::Web", undefined],
    ["/File[C:/a.ini]/ensure", "File", "C:/a.ini", "ensure"],
  ])("reads %s", (source, type, title, property) => {
    expect(parseSource(source)).toEqual({ resource: { type, title }, property });
  });

  test.each(["Puppet", "", "/etc/motd", "/Stage[main]/x/y", "Facter", "/A[".repeat(100)])("refuses %j", (source) => {
    expect(parseSource(source)).toBeUndefined();
  });
});
