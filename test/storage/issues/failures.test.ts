import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FailedEvent,
  type FailedLine,
  type FailedReport,
  type Failure,
  failuresOf,
  Identities,
  identityOf,
} from "#storage/issues/failures.ts";

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
      "run Could not evaluate: no such user",
    ]);
  });

  it.each([
    ["catalog", true, "Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: no data"],
    ["catalog", true, "Evaluation Error: Error while evaluating a Function Call, no data"],
    ["catalog", true, "Could not parse for environment production: Syntax error at '}'"],
    ["run", true, "Could not set 'ensure': the device is busy"],
    ["hidden", false, "Could not retrieve catalog from remote server: Connection refused"],
    ["hidden", false, "Could not set 'ensure': the device is busy"],
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
      "hidden A cached catalog was used, and the report has no error",
    ]);
  });

  it("are its failed events only, if the run did not fail", () => {
    const failures = failuresOf(report({ hasFailed: false, events: [event({ message: null })], lines: [line("x")] }));
    expect(short(failures)).toEqual(["resource Package[ntp] (without a message)"]);
  });
});

describe("the identity of a failure", () => {
  const [failure] = failuresOf(
    report({ events: [event({ title: "/home/web-01", message: "no such package on web-01" })] }),
  );

  it("is equal for the same failure on another node", () => {
    const [other] = failuresOf(
      report({ events: [event({ title: "/home/db-02", message: "no such package on db-02" })] }),
    );
    expect(failure && identityOf(failure, "web-01")).toEqual(other && identityOf(other, "db-02"));
  });

  it("has the version of the rules and 12 digits of the SHA-1 of kind, type, title and message", () => {
    // printf 'resource\0Package\0/home/<node>\0no such package on <node>' | sha1sum
    expect(failure && identityOf(failure, "web-01")).toEqual({
      id: "v1-108152e80ec2",
      kind: "resource",
      type: "Package",
      title: "/home/<node>",
      message: "no such package on <node>",
    });
  });

  it("is the same when it comes from the cache, for any number of failures and nodes", () => {
    const identities = new Identities();
    const certname = fc.constantFrom("web-01", "db-02", "web", "");
    const text = fc.constantFrom("on web-01", "on db-02", "of 10.0.0.1", "other");
    fc.assert(
      fc.property(certname, text, text, fc.nat(3000), (name, title, message, number) => {
        const [found] = failuresOf(report({ events: [event({ title, message: `${message} ${"x".repeat(number)}` })] }));
        expect(found && identities.of(found, name)).toEqual(found && identityOf(found, name));
      }),
      { numRuns: 5000 },
    );
  });
});
