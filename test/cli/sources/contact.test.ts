import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContactArguments } from "#cli/sources/contact-options.ts";
import { contactOf } from "#cli/sources/contact.ts";
import { workFolder } from "../census.ts";

const folder = workFolder();

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const [ca, cert, key, token] = ["ca", "cert", "key", "token"].map((name) => file(`${name}.pem`, `the ${name}\n`));
const config = (name: string, puppetdb: object): string => file(name, JSON.stringify({ puppetdb }));
const whole = config("whole.conf", {
  server_urls: ["https://one:8081", "https://two:8081"],
  cacert: ca,
  cert,
  key,
  "token-file": token,
});
const one = config("one.conf", { server_urls: "http://one:8080, http://two:8080" });

const hrefs = (urls: readonly URL[]): string[] => urls.map(({ href }) => href);

describe("the server and the certificate to use", () => {
  it.each<[what: string, args: ContactArguments, variable: string | undefined, urls: string[], shown: object]>([
    ["an address", { url: "http://db:8080", "client-config": one }, "http://other", ["http://db:8080/"], {}],
    ["addresses", { urls: "http://a, http://b:1/x" }, undefined, ["http://a/", "http://b:1/x"], {}],
    ["the variable", { "client-config": one }, "http://var", ["http://var/"], {}],
    ["the settings of puppetdb_cli", { "client-config": one }, "", ["http://one:8080/", "http://two:8080/"], {}],
    [
      "all of its settings",
      { "client-config": whole },
      undefined,
      ["https://one:8081/", "https://two:8081/"],
      { ca: "the ca\n", cert: "the cert\n", key: "the key\n", token: "the token" },
    ],
    [
      "its certificates for no plain connection",
      { url: "http://db", "client-config": whole },
      undefined,
      ["http://db/"],
      {},
    ],
    [
      "a pair of one's own with its authority",
      { url: "https://db", "client-config": whole, cert: key, key: cert },
      undefined,
      ["https://db/"],
      { ca: "the ca\n", cert: "the key\n", key: "the cert\n", token: "the token" },
    ],
  ])("%s", async (_what, args, variable, expected, shown) => {
    const { urls, from: _, ...rest } = await contactOf(args, { CENSUS_URL: variable });
    expect(hrefs(urls)).toStrictEqual(expected);
    expect(rest).toStrictEqual(shown);
  });

  it.each<[ContactArguments, RegExp]>([
    [{ url: "db:8080" }, /^--url must be a URL such as http:\/\/127\.0\.0\.1:8080, not "db:8080"$/],
    [{ urls: "http://a,b" }, /^--urls must be a URL .*, not "b"$/],
    [{ url: "https://a", cert: "c" }, /^--cert and --key must be used together$/],
    [{ url: "https://a", cacert: join(folder, "no") }, /^--cacert: \S+no does not exist$/],
    [{ "client-config": join(folder, "no") }, /^--client-config: \S+no does not exist$/],
    [
      { "client-config": file("x.conf", "server_urls: x") },
      /^\S+x\.conf: is not valid JSON: .*; expected \{"puppetdb"/,
    ],
    [{ "client-config": file("y.conf", '{"puppetdb": []}') }, /^\S+y\.conf: is not a configuration of puppetdb_cli; /],
    [{ "client-config": config("z.conf", { cacert: 1 }) }, /^\S+z\.conf: cacert must be a string$/],
    [{ "client-config": config("u.conf", { server_urls: ["x"] }) }, /^\S+u\.conf: server_urls must be a URL/],
  ])("%j is refused", async (args, message) => {
    await expect(contactOf(args, {})).rejects.toThrow(message);
  });
});
