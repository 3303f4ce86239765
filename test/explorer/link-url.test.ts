import { describe, expect, it } from "vitest";
import { codeUrl, linkUrl } from "#app/explorer/pages/site/link-url.ts";

describe("the url of a link", () => {
  it.each<[string, Readonly<Record<string, string | null>>, string | undefined]>([
    ["https://a/{certname}", { certname: "web-01" }, "https://a/web-01"],
    [
      "https://a/?of={certname}&in={environment}",
      { certname: "a&b=c#d", environment: "../x" },
      "https://a/?of=a%26b%3Dc%23d&in=..%2Fx",
    ],
    ["https://a/{certname}", { certname: "{environment}", environment: "x" }, "https://a/%7Benvironment%7D"],
    ["https://a/{certname}", { certname: "\ud800" }, "https://a/%EF%BF%BD"],
    ["https://a/{code_id}", { code_id: null }, undefined],
    ["https://a/{code_id}", { code_id: "" }, undefined],
    ["https://a/{code_id}", {}, undefined],
    ["https://a/", {}, "https://a/"],
  ])("has the values as parts, encoded: %s", (url, values, expected) => {
    expect(linkUrl(url, values)).toBe(expected);
  });
});

describe("the url of a link to a line of code", () => {
  const modules = "/etc/puppetlabs/code/environments/production/modules";
  it.each<[file: string, line: number | null, expected: string | undefined]>([
    [`${modules}/nginx/manifests/init.pp`, 12, "https://git/production/modules/nginx/manifests/init.pp#L12"],
    [
      `${modules}/a b/manifests/environments/x#y.pp`,
      null,
      "https://git/production/modules/a%20b/manifests/environments/x%23y.pp#L1",
    ],
    ["/etc/puppetlabs/code/modules/nginx/manifests/init.pp", 3, undefined],
    ["/code/environments/production", 3, undefined],
    ["/code/environments/production/../../etc/passwd", 3, undefined],
    ["init.pp", 3, undefined],
  ])("has the path within its environment: %s", (file, line, expected) => {
    expect(codeUrl("https://git/{environment}/{path}#L{line}", file, line)).toBe(expected);
  });
});
