import { describe, expect, it } from "vitest";
import {
  type FailedEvent,
  type FailedLine,
  type FailedReport,
  type Failure,
  failuresOf,
  identityOf,
  publicId,
  storedId,
} from "#storage/issues/failures.ts";
import { Folding } from "#storage/issues/fold.ts";

function report(changes: Partial<FailedReport> = {}): FailedReport {
  return { certname: "web-01", hasFailed: true, isCached: false, events: [], lines: [], ...changes };
}

function event(changes: Partial<FailedEvent> = {}): FailedEvent {
  const place = { file: "/site.pp", line: 7 };
  return { type: "Package", title: "ntp", message: "no such package", place, class: "Ntp", count: 1, ...changes };
}

function line(message: string, source = "Puppet"): FailedLine {
  return { message, source, place: null };
}

function short(failures: readonly Failure[]): string[] {
  return failures.map(
    ({ kind, type, title, message }) => `${kind} ${type === null ? "" : `${type}[${title}] `}${message}`,
  );
}

describe("the failures of a report", () => {
  it("are its failed events", () => {
    expect(failuresOf(report({ events: [event({ count: 2 })] }))).toEqual([
      {
        kind: "resource",
        type: "Package",
        title: "ntp",
        message: "no such package",
        place: { file: "/site.pp", line: 7 },
        class: "Ntp",
        count: 2,
      },
    ]);
  });

  it("are also errors in its log, unless they are about a resource that has a failed event", () => {
    const lines = [
      line("no such package", "/Stage[main]/Ntp/Package[ntp]/ensure"),
      line("Could not evaluate: no such user", "/Stage[main]/Ntp/User[ntp]"),
    ];
    expect(short(failuresOf(report({ events: [event()], lines })))).toEqual([
      "resource Package[ntp] no such package",
      "resource User[ntp] Could not evaluate: no such user",
    ]);
  });

  it("do not include what an agent also logs of a resource by itself: the error, what it wraps, and what was cut", () => {
    const failed = "change from 'absent' to 'file' failed: ";
    const locked = "Could not set 'file' on ensure: No such file or directory (file: /site.pp, line: 1)";
    const long = `Execution of '/usr/bin/apt-get install ntp' returned 100: ${"Reading package lists. ".repeat(60)}`;
    // Of each text 1,000 characters are read.
    const events = [
      event({ type: "File", title: "/etc/no", message: failed + locked }),
      event({ message: `change from 'purged' to 'present' failed: ${long}`.slice(0, 1000) }),
    ];
    const lines = [
      line(locked),
      line(`${locked}\nWrapped exception:\nNo such file or directory`),
      line(long.slice(0, 1000)),
      line("the device is busy"),
      line("Could not evaluate: the device is busy", "/Stage[main]/Ntp/User[ntp]"),
      line("something else"),
    ];
    expect(short(failuresOf(report({ events, lines }))).slice(2)).toEqual([
      "resource User[ntp] Could not evaluate: the device is busy",
      "run something else",
    ]);
  });

  it.each([
    ["catalog", true, "Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: no data"],
    ["catalog", true, "Evaluation Error: Error while evaluating a Function Call, no data"],
    ["catalog", true, "Could not parse for environment production: Syntax error at '}'"],
    ["run", true, "Could not set 'ensure': the device is busy"],
    ["catalog", false, "Could not retrieve catalog from remote server: Connection refused"],
    ["run", false, "Could not set 'ensure': the device is busy"],
  ])("are of the kind %s (%s, %s)", (kind, hasFailed, message) => {
    const failures = failuresOf(report({ hasFailed, isCached: !hasFailed, lines: [line(message)] }));
    expect(failures.map((failure) => failure.kind)).toEqual([kind]);
  });

  it("do not include failures that follow from another one, and include all others", () => {
    const skipping = line("Could not retrieve catalog; skipping run");
    const lines = [line("Could not retrieve catalog from remote server: no data"), skipping];
    expect(short(failuresOf(report({ lines })))).toEqual([
      "catalog Could not retrieve catalog from remote server: no data",
    ]);
    expect(short(failuresOf(report({ lines: [skipping] })))).toEqual([
      "catalog Could not retrieve catalog; skipping run",
    ]);
  });

  it("have at most five lines of a log", () => {
    const lines = ["a", "b", "c", "d", "e", "f"].map((text) => line(text));
    expect(short(failuresOf(report({ lines })))).toEqual(["run a", "run b", "run c", "run d", "run e"]);
  });

  it("are one failure with a message that says so, if the report has no error", () => {
    expect(short(failuresOf(report()))).toEqual(["run The run failed, and its report has no error"]);
    expect(short(failuresOf(report({ hasFailed: false, isCached: true })))).toEqual([
      "run A cached catalog was used, and the report has no error",
    ]);
  });

  it("are warnings where a run that did not fail logged an error", () => {
    const failures = failuresOf(report({ hasFailed: false, events: [event({ message: null })], lines: [line("x")] }));
    expect(short(failures)).toEqual(["resource Package[ntp] (without a message)", "warning x"]);
    expect(failuresOf(report({ hasFailed: false }))).toEqual([]);
  });

  it("are one failure where an agent also logs the error of an event by itself", () => {
    const message =
      "change from 'absent' to 'present' failed: Execution of 'apt-get' returned 100: E: no such package\n";
    const lines = [
      line("Execution of 'apt-get' returned 100: E: no such package"),
      line(message, "/Stage[main]/Ntp/Package[ntp]/ensure"),
      line("Could not send report: the server is away"),
    ];
    expect(failuresOf(report({ events: [event({ message })], lines }))).toHaveLength(1);
  });

  it.each([
    ["/Stage[main]/Ntp/Package[ntp]/ensure", "Package", "ntp"],
    ["/Stage[main]/Profile::Base/Docker::Run[api]/Exec[a/b [c]]/returns", "Exec", "a/b [c]"],
    ["/File[/opt/puppetlabs/puppet/cache/lib]", "File", "/opt/puppetlabs/puppet/cache/lib"],
    ["Puppet", null, null],
    ["//web-01/Puppet", null, null],
  ])("are about the resource that the source of a line names: %s", (source, type, title) => {
    expect(failuresOf(report({ lines: [line("x", source)] }))).toMatchObject([{ type, title }]);
  });
});

const folding = (certname: string): Folding => new Folding({ certname, others: [] });

function common(title: string, message: string): bigint | undefined {
  const [one] = failuresOf(report({ events: [event({ title, message })] }));
  return one && identityOf(one, folding("web-01")).common;
}

const inFolder = (name: string): string => `No space left on device @ rb_sysopen - /etc/${name}`;

describe("the identity of a failure", () => {
  const [failure] = failuresOf(
    report({ events: [event({ title: "/home/web-01", message: "no such package on web-01" })] }),
  );

  it("is equal for the same failure on another node", () => {
    const [other] = failuresOf(
      report({ events: [event({ title: "/home/db-02", message: "no such package on db-02" })] }),
    );
    expect(failure && identityOf(failure, folding("web-01"))).toEqual(other && identityOf(other, folding("db-02")));
  });

  it("has the version of the rules and 12 digits of the SHA-1 of kind, type, title and message", () => {
    // printf 'resource\0Package\0/home/<node>\0no such package on <node>' | sha1sum
    expect(failure && identityOf(failure, folding("web-01"))).toEqual({
      id: 0x108152e80ec2n,
      common: expect.any(BigInt),
      kind: "resource",
      type: "Package",
      title: "/home/<node>",
      message: "no such package on <node>",
    });
  });

  it("has the same common part for other resources with the same message", () => {
    expect(common("/etc/a", inFolder("a"))).toBe(common("/etc/b", inFolder("b")));
    expect(common("/etc/a", inFolder("a"))).not.toBe(common("/etc/a", "Permission denied @ rb_sysopen - /etc/a"));
  });

  it("is read again as it is shown", () => {
    for (const id of [0n, 1n, 0xffffffffffffn]) expect(storedId(publicId(id))).toBe(id);
    for (const id of ["v1-000000000000", "v2-00", "x"]) expect(storedId(id)).toBeUndefined();
  });
});
