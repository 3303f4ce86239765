import { describe, expect, it } from "vitest";
import { linkUrl } from "#app/explorer/pages/site/link-url.ts";

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
