import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, Folding, foldRules } from "#storage/issues/fold.ts";

/** A message of a provider or an agent, and the issue that it belongs to; HOST and NODE stand for the names of the node. */
interface Message {
  readonly issue: string;
  readonly type: string | null;
  readonly title: string | null;
  readonly text: string;
}

const messages = readFileSync(join(import.meta.dirname, "messages.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Message);

describe("folding a message", () => {
  it.each([
    ["the node's own name", "web-01.example.com: no such host web-01.example.com", "<node>: no such host <node>"],
    ["but no other names", "Connection refused by db-02.example.com", "Connection refused by db-02.example.com"],
    [
      "values of a property",
      "change from '{sha256}d4f5 8581' to\n'new' failed: Could not set 'content': the device is busy",
      "Could not set 'content': the device is busy",
    ],
    ["values that are lists", 'change from ["adm"] to ["adm","spool"] failed: Could not set', "Could not set"],
    ["a change that did not fail", "change from a to b done", "change from a to b done"],
    [
      "the folder of an environment",
      "Syntax error (file: /etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp, line: 42, column: 3)",
      "Syntax error (file: modules/ntp/manifests/init.pp, line: <n>, column: <n>)",
    ],
    ["temporary files", "cannot write /tmp/puppet20261120-12-a/x.conf: disk full", "cannot write <tmp>: disk full"],
    ["temporary files of Windows", "C:\\Users\\svc\\AppData\\Local\\Temp\\abc1.msi failed", "<tmp> failed"],
    [
      "names of temporary files",
      "validate_cmd puppet-file20261120-4711-x1z9ab failed",
      "validate_cmd puppet-file failed",
    ],
    [
      "times",
      "expired at 2026-11-20T12:00:00.123Z, 2026-11-20 12:00:00 +0100 and 2026-11-20",
      "expired at <time>, <time> and <time>",
    ],
    [
      "times in words",
      "not after Nov  3 12:00:00 2026 GMT or Fri, 20 Nov 2026 12:00:00 GMT",
      "not after <time> or <time>",
    ],
    ["times of a day", "since 09:15:02", "since <time>"],
    ["UUIDs", "job 5BD39A9C-96f6-4ca2-9ee6-ea1e4d2a9ef1 failed", "job <uuid> failed"],
    ["checksums", "got {md5}d41d8cd98f00b204e9800998ecf8427e, wanted {sha256lite}abc", "got <hash>, wanted <hash>"],
    ["hexadecimal digits", "commit 1a2b3c4d5e6f7890 at 0x00007f3aa1b2c3d4", "commit <hash> at <hash>"],
    [
      "but not names of keys, and numbers of errors",
      "key 871920D1991BC93C, error 0x80070005",
      "key 871920D1991BC93C, error 0x80070005",
    ],
    ["but not words of such letters", "a defaced, effaced cafedeed", "a defaced, effaced cafedeed"],
    [
      "addresses",
      "10.0.0.1:8140, 192.168.0.0/16, fe80::1ff:fe23:4567:890a, ::1, 2001:db8::/32 and 52:54:00:12:34:56",
      "<ip>:<n>, <ip>, <ip>, localhost, <ip> and <ip>",
    ],
    [
      "but not names of classes",
      "Could not find class ::ntp::server for Role::Db",
      "Could not find class ::ntp::server for Role::Db",
    ],
    ["numbers, versions and sizes", "Package 1.26.3-2 needs 4096 MB, has 8", "Package <n> needs <size>, has <n>"],
    [
      "but no numbers in names",
      "Service[config-42d], php8.1-fpm, java-11-openjdk, 30-siem.conf",
      "Service[config-42d], php8.1-fpm, java-11-openjdk, 30-siem.conf",
    ],
    [
      "but no statuses",
      "Error 500 on SERVER, HTTP 404, status: 503, exit code 127, returned 12",
      "Error 500 on SERVER, HTTP 404, status: 503, exit code 127, returned 12",
    ],
    [
      "but no numbers of errors",
      "failed (98: Address already in use), errno=12, (110)",
      "failed (98: Address already in use), errno=12, (110)",
    ],
    [
      "environments",
      "source of environment feature_a, ?environment=dev&x=y",
      "source of environment <environment>, ?environment=<environment>&x=y",
    ],
    [
      "heads of journals",
      "Nov 28 22:10:13 web-01 nginx[15533]: 2026/11/28 22:10:13 [emerg] x",
      "<log> nginx: <time> [emerg] x",
    ],
    [
      "objects and quotes of Ruby",
      "undefined method `x' for #<Foo:0x00007f> and nil:NilClass",
      "undefined method 'x' for <object> and nil",
    ],
    ["devices and architectures", "no /dev/sda1 for eth0 on x86_64", "no /dev/<device> for <device> on <arch>"],
    ["holders of locks", "held by process 4711 (apt-get), pid 12 'pkg'", "held by process <n>, pid <n>"],
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
      fc.ipV4().filter((address) => address !== "127.0.0.1"),
      fc.integer({ min: 10, max: 1_000_000 }),
    );
    fc.assert(
      fc.property(facts, ([node, time, address, n]) => {
        const message = `${node}: could not reach ${address}:8140 after ${n} s at ${time.toISOString()} (${n}.${n} MB)`;
        expect(fold(message, node)).toBe("<node>: could not reach <ip>:<n> after <n> s at <time> (<size>)");
      }),
    );
  });

  it("turns any text, hostile ones too, into a well-formed text of limited length", () => {
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
    const hostile = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
      .map((some) => some.join("").repeat(4000).slice(0, 4000));
    const text = fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 5000 }));
    fc.assert(
      fc.property(text, fc.string({ unit: "binary" }), (message, node) => {
        const folded = fold(message, node);
        expect(folded.length).toBeLessThanOrEqual(600);
        expect(folded.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the node's own names", () => {
  const folding = new Folding({
    certname: "i-56d69ec2f7",
    others: ["MARS", "mars.example.com", "10.6.87.148", "2001:db8::34", "localhost"],
  });

  it.each([
    ["mars systemd: Mars failed at mars.example.com", "<node> systemd: <node> failed at <node>"],
    ["SRV\\x MARS\\svc", "SRV\\x <node>\\svc"],
    ["marshal, mars-2, mars_x, x-mars, localhost", "marshal, mars-2, mars_x, x-mars, localhost"],
    ["10.6.87.148:7946 and [2001:db8::34]:7946", "<node>:<n> and <node>:<n>"],
    ["10.6.87.14 and i-56d69ec2f7", "<ip> and <node>"],
  ])("%s", (text, folded) => {
    expect(folding.fold(text, null).message).toBe(folded);
  });

  it("are folded in titles, of which nothing else is", () => {
    expect(folding.fold("x", "/srv/mars.example.com-20261128").title).toBe("/srv/<node>-20261128");
    expect(folding.fold("no such package php8.1-fpm 8.1", "php8.1-fpm").message).toBe("no such package php8.1-fpm <n>");
  });
});

describe("messages as agents write them", () => {
  const folded = new Map(messages.map((one, at) => [one, identityOfMessage(one, at)]));

  it("are the same issue where only the node, the run or a version differs", () => {
    const ofIssues = Map.groupBy(messages, ({ issue }) => issue);
    expect([...ofIssues].filter(([, group]) => new Set(group.map((one) => folded.get(one))).size > 1)).toEqual([]);
  });

  it("are another issue where the resource, the command's result or the reason differs", () => {
    const ofTexts = Map.groupBy(messages, (one) => folded.get(one));
    expect([...ofTexts].filter(([, group]) => new Set(group.map(({ issue }) => issue)).size > 1)).toEqual([]);
  });
});

function identityOfMessage({ type, title, text }: Message, at: number): string {
  const [host, certname] = [`mail${at}x`, at % 5 === 0 ? `i-${at}` : `mail${at}x.example.com`];
  const own = text.replaceAll("HOST", host).replaceAll("NODE", certname);
  const { message } = new Folding({ certname, others: [host, `${host}.example.com`] }).fold(own, title);
  return [type, title, message].join();
}
