import { describe, expect, it } from "vitest";
import { displayWidth } from "#cli/output/fit.ts";
import { hostileTexts } from "#test/explorer/hostile-texts.ts";
import { drawnTable } from "./terminal-table.ts";

const environments = "/etc/puppetlabs/code/environments/production/modules";

/** Two failures as `census events` shows them: a reason at the end of a long line, and one in a journal. */
const events = [
  {
    certname: "tankfarm-0004.ember-point.saltmarsh.example",
    timestamp: "2026-11-20T11:42:19.385Z",
    status: "failure",
    resource: "File[/var/lib/custody/custody-37.d]",
    property: "mode",
    message:
      "change from '0644' to '0640' failed: failed to set mode 640 on /var/lib/custody/custody-37.d: Operation not permitted @ apply2files - /var/lib/custody/custody-37.d",
    declared: `${environments}/custody/manifests/init.pp:133`,
    report: "bd3d8a11a57776ccb054e495b871d373fd314f16",
  },
  {
    certname: "historian-0010.langsand.saltmarsh.example",
    timestamp: "2026-11-18T11:56:42.278Z",
    status: "failure",
    resource: "Service[rollup-36d]",
    property: "ensure",
    message: [
      "change from 'stopped' to 'running' failed: Systemd start for rollup-36d failed!",
      "journalctl log for rollup-36d:",
      "-- Boot dd2d774c4dbb77bba0f6375ff524b4a8 --",
      "Nov 20 11:56:42 historian-0010 systemd[1]: Starting rollup-36d.service...",
      "Nov 20 11:56:43 historian-0010 rollup-36d[30625]: bind 10.60.0.12:7070: Address already in use",
      "Nov 20 11:56:43 historian-0010 systemd[1]: Failed to start rollup-36d.service.",
      "",
    ].join("\n"),
    declared: `${environments}/rollup/manifests/init.pp:52`,
    report: "fbdbf06b09a03398a715e79e29c765e23abedfb5",
  },
];

function rule(...widths: number[]): string {
  return widths.map((width) => "─".repeat(width)).join("  ");
}

describe("drift on a terminal", () => {
  const mixed = events.map((event, index) => ({ ...event, status: index === 0 ? "success" : "noop" }));
  const heading = async (columns: number): Promise<string> =>
    (await drawnTable(mixed, { columns, secondary: ["status"] })).lines[0] ?? "";

  it.each([80, 100, 120])("says in %d columns when each change was made", async (columns) => {
    expect(await heading(columns)).toContain("timestamp");
  });

  it("has the status where there is space for both", async () => {
    expect(await heading(80)).not.toContain("status");
    expect(await heading(120)).toContain("status");
  });
});

describe("events on a terminal say why something failed", () => {
  it.each<[columns: number, lines: string[]]>([
    [
      60,
      [
        "status: ✖ failure",
        "",
        "certname                               resource",
        "  message",
        rule(37, 21),
        "tankfarm-0004.ember-point.saltmarsh.   File[/var/lib/",
        "example                                custody/custody-37.d]",
        "  failed to set mode 640 on /var/lib/custody/custody-37.d:",
        "  Operation not permitted @ apply2files - /var/lib/custody/…",
        "historian-0010.langsand.saltmarsh.     Service[rollup-36d]",
        "example",
        "  Systemd start for rollup-36d failed! ↵ rollup-36d[30625]:",
        "  bind 10.60.0.12:7070: Address already in use",
        "",
        "not shown: timestamp, property, declared, report; --wide",
        "shows all columns",
      ],
    ],
    [
      80,
      [
        "status: ✖ failure",
        "",
        "certname                                     timestamp   resource",
        "  message",
        rule(43, 10, 23),
        "tankfarm-0004.ember-point.saltmarsh.example  17 min ago  File[/var/lib/custody/",
        "                                                         custody-37.d]",
        "  failed to set mode 640 on /var/lib/custody/custody-37.d: Operation not",
        "  permitted @ apply2files - /var/lib/custody/custody-37.d",
        "historian-0010.langsand.saltmarsh.example    2 d ago     Service[rollup-36d]",
        "  Systemd start for rollup-36d failed! ↵ rollup-36d[30625]: bind",
        "  10.60.0.12:7070: Address already in use",
        "",
        "not shown: property, declared, report; --wide shows all columns",
      ],
    ],
    [
      100,
      [
        "status: ✖ failure",
        "",
        "certname                                     timestamp            resource                  property",
        "  message",
        rule(43, 19, 24, 8),
        "tankfarm-0004.ember-point.saltmarsh.example  2026-11-20 11:42:19  File[/var/lib/custody/    mode",
        "                                                                  custody-37.d]",
        "  failed to set mode 640 on /var/lib/custody/custody-37.d: Operation not permitted @ apply2files -",
        "  /var/lib/custody/custody-37.d",
        "historian-0010.langsand.saltmarsh.example    2026-11-18 11:56:42  Service[rollup-36d]       ensure",
        "  Systemd start for rollup-36d failed! ↵ rollup-36d[30625]: bind 10.60.0.12:7070: Address already in",
        "  use",
        "",
        "not shown: declared, report; --wide shows all columns",
      ],
    ],
    [
      120,
      [
        "status: ✖ failure",
        "",
        "certname                                     timestamp            resource                 property  declared",
        "  message",
        rule(43, 19, 23, 8, 19),
        "tankfarm-0004.ember-point.saltmarsh.example  2026-11-20 11:42:19  File[/var/lib/custody/   mode      custody/manifests/",
        "                                                                  custody-37.d]                      init.pp:133",
        "  failed to set mode 640 on /var/lib/custody/custody-37.d: Operation not permitted @ apply2files -",
        "  /var/lib/custody/custody-37.d",
        "historian-0010.langsand.saltmarsh.example    2026-11-18 11:56:42  Service[rollup-36d]      ensure    rollup/manifests/",
        "                                                                                                     init.pp:52",
        "  Systemd start for rollup-36d failed! ↵ rollup-36d[30625]: bind 10.60.0.12:7070: Address already in use",
        "",
        "not shown: report; --wide shows all columns",
      ],
    ],
  ])("in %i columns", async (columns, lines) => {
    expect(await drawnTable(events, { columns })).toStrictEqual({ lines, aside: "2 rows\n" });
  });

  it("in blocks where not even certname and resource fit", async () => {
    const { lines } = await drawnTable(events, { columns: 40 });
    expect(lines.slice(0, 13)).toStrictEqual([
      "status: ✖ failure",
      "",
      "certname   tankfarm-0004.ember-point.",
      "           saltmarsh.example",
      "timestamp  2026-11-20 11:42:19",
      "resource   File[/var/lib/custody/",
      "           custody-37.d]",
      "property   mode",
      "message    failed to set mode 640 on",
      "           /var/lib/custody/",
      "           custody-37.d: Operation not",
      "           permitted @ apply2files - /v…",
      "declared   /etc/puppetlabs/code/",
    ]);
  });

  it("with every value in full if lines may have any length", async () => {
    const { lines } = await drawnTable(events, { columns: Number.POSITIVE_INFINITY });
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(
      /^tankfarm-\S+ {2}2026-11-20 11:42:19 · 17 min ago {2}✖ failure .*'0640' failed: .*:133 {2}bd3d8a11a57776ccb054e495b871d373fd314f16$/,
    );
    expect(lines[3]).toContain("failed!\\njournalctl log for rollup-36d:\\n-- Boot dd2d");
  });
});

function node(certname: string, more: object): object {
  return { certname, environment: "production", ...more };
}

/** A row with columns of each importance. */
function manyColumns(n: number): object {
  return {
    certname: `node-${n}.example.com`,
    transaction_uuid: `${n}`.repeat(36),
    file: `/opt/site/file-${n}.pp`,
    report_environment: `environment-${n}`,
    latest_report_status: "changed",
    count: n,
  };
}

/** The names of the columns that a table of two such rows leaves out. */
async function leftOut(columns: number): Promise<string | undefined> {
  const { lines } = await drawnTable([manyColumns(1), manyColumns(2)], { columns });
  return / not shown: (.*); --wide shows all columns$/.exec(lines.join(" "))?.[1];
}

describe("the columns of a table", () => {
  it("with one value are above it, and those without a value are named there", async () => {
    const rows = [node("a", { noop: false, expired: null }), node("b", { noop: false, expired: null })];
    expect((await drawnTable(rows, { columns: 80 })).lines).toStrictEqual([
      "environment: production",
      "noop: false",
      "no value: expired",
      "",
      "certname",
      "────────",
      "a",
      "b",
    ]);
  });

  it("stay in the table if there is one row, or no other column", async () => {
    expect((await drawnTable([node("a", {})], { columns: 80 })).lines).toStrictEqual([
      "certname  environment",
      "────────  ───────────",
      "a         production",
    ]);
    const same = await drawnTable([{ status: "failed" }, { status: "failed" }], { columns: 80 });
    expect(same.lines).toStrictEqual(["status", "────────", "✖ failed", "✖ failed"]);
  });

  it("are numbers on the right, durations and hashes in short", async () => {
    const rows = [
      { seconds: 31.1, count: 5, hash: "a".repeat(40), text: "x".repeat(40) },
      { seconds: 229, count: 1200, hash: "b".repeat(40), text: "y" },
    ];
    expect((await drawnTable(rows, { columns: 80 })).lines).toStrictEqual([
      "  duration  count  hash      text",
      "──────────  ─────  ────────  ────────────────────────────────────────",
      `      31 s      5  aaaaaaaa  ${"x".repeat(40)}`,
      "3 min 49 s   1200  bbbbbbbb  y",
    ]);
    expect((await drawnTable(rows, { columns: 120 })).lines[2]).toContain("a".repeat(40));
  });

  it.each<[columns: number, time: string]>([
    [55, "2026-11-20 11:42:19 · 17 min ago"],
    [40, "2026-11-20 11:42:19"],
    [32, "17 min ago"],
  ])("are times in the form for which there is space: %i columns", async (columns, time) => {
    const rows = [
      { certname: "web-01.example.com", timestamp: "2026-11-20T11:42:19.385Z" },
      { certname: "web-02.example.com", timestamp: null },
    ];
    const { lines } = await drawnTable(rows, { columns });
    expect(lines.some((line) => line.endsWith(time))).toBe(true);
    const silent = await drawnTable(rows, { columns, now: undefined });
    expect(silent.lines.join("\n")).not.toContain("ago");
  });

  it("of little importance are left out first", async () => {
    expect(await leftOut(120)).toBeUndefined();
    expect(await leftOut(70)).toBe("transaction_uuid");
    expect(await leftOut(50)).toBe("transaction_uuid, file");
    expect(await leftOut(30)).toBe("transaction_uuid, file, report_environment");
  });

  it("wrap to a limited number of lines before they are cut", async () => {
    const rows = [{ value: "one two three four five six seven eight nine ten eleven" }, { value: "-" }];
    const { lines } = await drawnTable(rows, { columns: 20 });
    expect(lines.slice(2)).toStrictEqual(["one two three four", "five six seven eigh…", "-"]);
    const more = await drawnTable(rows, { columns: 20, cellLines: 3 });
    expect(more.lines.slice(2)).toStrictEqual(["one two three four", "five six seven eight", "nine ten eleven", "-"]);
  });

  it("with a list that would be cut have its first values and the number of others", async () => {
    const nodes = Array.from({ length: 34 }, (_, index) => `web-${index}.example.com`);
    const rows = [
      { parameter: "mode", value: nodes, certnames: nodes },
      { parameter: "owner", value: ["root"], certnames: nodes },
    ];
    const { lines } = await drawnTable(rows, { columns: 80 });
    expect(lines[0]).toBe("certnames: web-0.example.com, web-1.example.com and 32 more");
    expect(lines.join("\n")).toMatch(/web-0\.example\.com, web-1\.example\.com and\s+32 more/);
    expect(lines.join("\n")).toContain('["root"]');
  });

  it("that are below a row take no line if they are absent", async () => {
    const message =
      "Could not start Service[ntp]: it was stopped while it started, then started again and stopped again";
    const rows = [
      { certname: "web-01.example.com", resource: "File[/etc/ntp/servers.conf]", message: null },
      { certname: "web-02.example.com", resource: "File[/etc/ntp/clients.conf]", message },
    ];
    const { lines } = await drawnTable(rows, { columns: 60 });
    expect(lines.slice(3)).toStrictEqual([
      "web-01.example.com  File[/etc/ntp/servers.conf]",
      "web-02.example.com  File[/etc/ntp/clients.conf]",
      "  Could not start Service[ntp]: it was stopped while it",
      "  started, then started again and stopped again",
    ]);
  });

  it("of a single row that do not fit become a block, which leaves out nothing", async () => {
    const row = {
      certname: "web-01.example.com",
      producer: "compiler-1.example.com",
      code_id: "abc",
      status: "failed",
    };
    expect((await drawnTable([row], { columns: 40 })).lines).toStrictEqual([
      "certname  web-01.example.com",
      "producer  compiler-1.example.com",
      "code_id   abc",
      "status    ✖ failed",
    ]);
  });
});

describe("the number of rows", () => {
  const rows = [{ a: 1 }, { a: 2 }];

  it.each<[rows: object[], total: number | undefined, aside: string]>([
    [[], undefined, "0 rows\n"],
    [[{ a: 1 }], undefined, "1 row\n"],
    [rows, 2, "2 rows\n"],
    [rows, 33, "2 of 33 rows\n"],
    [[], 33, "0 of 33 rows\n"],
  ])("of %j, of %j in all", async (some, total, aside) => {
    const drawn = await drawnTable(some, { columns: 80, total: () => total });
    expect(drawn.aside).toBe(aside);
    expect(drawn.lines.length > 0).toBe(some.length > 0);
  });
});

describe("text from nodes", () => {
  const odd = [
    ...hostileTexts,
    "",
    "a very long word ".repeat(3) + "x".repeat(500),
    "東京都庁第一本庁舎".repeat(20),
    "👩‍👩‍👧‍👦".repeat(60),
    `e${"\u0301".repeat(5000)}`,
    "\u202eevil\u202c",
    "\u2067שלום\u2069 1.2.3",
  ];
  const rows = odd.map((text, index) => ({
    certname: index % 3 === 0 ? text : `node-${index}`,
    timestamp: text,
    status: text,
    resource: `File[${text}]`,
    message: text,
    count: index,
    [`key ${text}`.slice(0, 30)]: text,
    hash: text,
    declared: text,
  }));

  it.each([20, 40, 60, 80, 100, 120])("stays in its cell: %i columns", async (columns) => {
    for (const some of [rows, rows.slice(0, 1), ...rows.map((row) => [row, { certname: "b" }])]) {
      const { lines } = await drawnTable(some, { columns });
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066\u2067]/u);
    }
  });

  it("does not change the writing direction of other text", async () => {
    const { lines } = await drawnTable(
      [
        { name: "مرحبا", value: "1" },
        { name: "b", value: "2" },
      ],
      { columns: 80 },
    );
    expect(lines[2]).toBe("\u2068مرحبا\u2069  1");
  });

  it("shows characters that cannot be seen", async () => {
    const { lines } = await drawnTable([{ a: "\u001b[31mred\u202e\u200b" }, { a: "two\nlines" }], { columns: 80 });
    expect(lines.slice(2)).toStrictEqual(["\\u001b[31mred\\u202e\\u200b", "two\\nlines"]);
  });

  it("is not confused with properties of every object", async () => {
    const { lines } = await drawnTable(['{"__proto__":"a","constructor":1}', '{"__proto__":"b","constructor":2}'], {
      columns: 80,
    });
    expect(lines[0]).toBe("__proto__  constructor");
  });
});
