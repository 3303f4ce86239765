import { describe, expect, it } from "vitest";
import { NodeNames } from "#storage/anonymize/node-names.ts";
import { Pseudonyms } from "#storage/anonymize/pseudonyms.ts";
import { SALT } from "./site.ts";

const pseudonyms = new Pseudonyms(SALT);
const names = new NodeNames(pseudonyms);

const web = "web-01.example.com";
const puppet = "puppet.example.com";
const deep = "db.web-01.example.com";
for (const certname of [web, puppet, deep, "gateway", "a.io", "web-02.local", "Ägir ✓", "UPPER-7.example.com"]) {
  names.add(certname);
}

/** The replacements of a certname and of its short name. */
const of = (certname: string): string => pseudonyms.text("node", certname);
const short = (certname: string): string => of(certname).slice(0, 10);

describe("names of nodes inside a text", () => {
  it.each<[what: string, text: string, replaced: string]>([
    ["alone", web, of(web)],
    ["in a title", `ping@${web}`, `ping@${of(web)}`],
    ["several", `${web},${puppet}`, `${of(web)},${of(puppet)}`],
    ["in a path", `/etc/ssl/${web}.pem`, `/etc/ssl/${of(web)}.pem`],
    ["behind an escape", `a\\n${web}`, `a\\n${of(web)}`],
    ["in capitals", "WEB-01.Example.COM", of(web)],
    ["written in capitals", "upper-7.example.com", of("UPPER-7.example.com")],
    ["the longest that is there", deep, of(deep)],
    ["inside a longer name that is none", `www.${web}`, `www.${of(web)}`],
    ["the short name", "WEB-01", short(web)],
    ["the short name in a word", "backup-of-web-01_daily", `backup-of-${short(web)}_daily`],
    ["the short name with another domain", "web-01.example.org", `${short(web)}.example.org`],
    ["both short names", "web-01-web-02", `${short(web)}-${short("web-02.local")}`],
    ["one without a dot", "via gateway!", `via ${of("gateway")}!`],
    ["one with odd characters", "<Ägir ✓>", `<${of("Ägir ✓")}>`],
    ["a very short one", "at a.io:80", `at ${of("a.io")}:80`],
  ])("are replaced: %s", (_what, text, replaced) => {
    expect(names.replaceIn(text)).toBe(replaced);
  });

  it.each(["", "puppet", "gateways", "web-010", "xweb-01", "data.ion", "example.com", ".example.com", "İ.example.com"])(
    "are not found in %j",
    (text) => {
      expect(names.replaceIn(text)).toBe(text);
    },
  );
});

it.each([
  ["puppet", short(puppet)],
  ["WEB-01", short(web)],
  [web, of(web)],
  ["gateway", of("gateway")],
  ["other.example.com", of("other.example.com")],
])("the host name %j is replaced as a whole", (name, replaced) => {
  expect(names.host(name)).toBe(replaced);
});
