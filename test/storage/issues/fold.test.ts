import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, foldRules } from "#storage/issues/fold.ts";

describe("folding a message", () => {
  it.each([
    ["the node's own name", "web-01.example.com: no such host web-01.example.com", "<node>: no such host <node>"],
    [
      "other names, but for their numbers",
      "Connection refused by db-02.example.com",
      "Connection refused by db-<n>.example.com",
    ],
    [
      "values of a property",
      "change from '{sha256}d4f5 8581' to\n'new' failed: Could not set 'content': the device is busy",
      "change from <value> to <value> failed: Could not set 'content': the device is busy",
    ],
    [
      "values that are lists",
      'change from ["adm"] to ["adm","spool"] failed: Could not set',
      "change from <value> to <value> failed: Could not set",
    ],
    ["a change that did not fail", "change from a to b done", "change from a to b done"],
    [
      "the folder of an environment",
      "Syntax error (file: /etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp, line: 42, column: 3)",
      "Syntax error (file: modules/ntp/manifests/init.pp, line: <n>, column: 3)",
    ],
    [
      "temporary files",
      "cannot write /tmp/puppet20261120-12-a/x.conf: disk full",
      "cannot write /tmp/<tmp>: disk full",
    ],
    [
      "temporary files of Windows",
      "C:\\Users\\svc\\AppData\\Local\\Temp\\abc1.msi failed",
      "C:\\Users\\svc\\AppData\\Local\\Temp\\<tmp> failed",
    ],
    ["names of temporary files", "validate_cmd puppet-file20261120-4711-x1z9ab failed", "validate_cmd <tmp> failed"],
    [
      "times",
      "expired at 2026-11-20T12:00:00.123Z, 2026-11-20 12:00:00 +0100 and 2026-11-20",
      "expired at <time>, <time> and <time>",
    ],
    [
      "times in words",
      "not after Nov  3 12:00:00 2026 GMT or Fri, 20 Nov 2026 12:00:00 GMT",
      "not after <time> GMT or <time>",
    ],
    ["times of a day", "since 09:15:02", "since <time>"],
    ["UUIDs", "job 5BD39A9C-96f6-4ca2-9ee6-ea1e4d2a9ef1 failed", "job <uuid> failed"],
    ["checksums", "got {md5}d41d8cd98f00b204e9800998ecf8427e, wanted {sha256lite}abc", "got <hash>, wanted <hash>"],
    ["hexadecimal digits", "commit 1a2b3c4d5e6f7890 at 0x00007f3a", "commit <hash> at <hash>"],
    ["but not words of such letters", "a defaced, effaced cafedeed", "a defaced, effaced cafedeed"],
    [
      "addresses",
      "10.0.0.1:8140, 192.168.0.0/16, fe80::1ff:fe23:4567:890a, ::1, 2001:db8::/32 and 52:54:00:12:34:56",
      "<ip>, <ip>, <ip>, <ip>, <ip> and <ip>",
    ],
    [
      "but not names of classes",
      "Could not find class ::ntp::server for Role::Db",
      "Could not find class ::ntp::server for Role::Db",
    ],
    ["numbers of two digits and more", "Package 1.26.3-2 needs 4096 MB, has 8", "Package <n>-2 needs <n> MB, has 8"],
    ["numbers inside of names", "Service[config-42d]", "Service[config-<n>d]"],
    [
      "but no statuses",
      "Error 500 on SERVER, HTTP 404, status: 503, exit code 127, returned 12",
      "Error 500 on SERVER, HTTP 404, status: 503, exit code 127, returned 12",
    ],
    ["blanks", "  a \n\t b  ", "a b"],
  ])("replaces %s", (_, message, folded) => {
    expect(fold(message, "web-01.example.com")).toBe(folded);
  });

  it("has a case here for each of its rules", () => {
    expect(foldRules.every(({ pattern }) => pattern.global)).toBe(true);
    expect(new Set(foldRules.map(({ name }) => name)).size).toBe(foldRules.length);
  });

  it("is the same for the same failure on another node, at another time", () => {
    const facts = fc.tuple(
      fc.stringMatching(/^[a-z]{1,10}-\d{2}\.[a-z]{2,10}$/),
      fc.date({ min: new Date("2000-01-01"), max: new Date("2099-01-01"), noInvalidDate: true }),
      fc.ipV4(),
      fc.integer({ min: 10, max: 1_000_000 }),
    );
    fc.assert(
      fc.property(facts, ([node, time, address, n]) => {
        const message = `${node}: could not reach ${address}:8140 after ${n} s at ${time.toISOString()} (${n}.${n} MB)`;
        expect(fold(message, node)).toBe("<node>: could not reach <ip> after <n> s at <time> (<n> MB)");
      }),
    );
  });

  it("takes linear time for hostile texts", () => {
    const parts = [
      "change from ",
      " to ",
      " failed",
      "a",
      "0",
      "1a",
      ":",
      "::",
      ".",
      "-",
      "/",
      "/environments/",
      "/tmp/",
      " ",
      "20261120-",
      "\\",
      "12:",
      "{md5}",
      "Nov ",
    ];
    const text = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
      .map((some) => some.join("").repeat(4000).slice(0, 4000));
    fc.assert(
      fc.property(text, (message) => {
        const began = performance.now();
        fold(message, "web-01");
        // Some hundred times as long as it takes on a machine that does nothing else.
        expect(performance.now() - began).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });

  it("turns any text into a well-formed text of limited length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 5000 }), fc.string({ unit: "binary" }), (message, node) => {
        const folded = fold(message, node);
        expect(folded.length).toBeLessThanOrEqual(600);
        expect(folded.isWellFormed()).toBe(true);
      }),
    );
  });
});
