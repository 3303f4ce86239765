import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { census } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { run } from "./run.ts";
import { openSite } from "./site.ts";
import { canRun } from "./tools.ts";

/** A site where clients need no certificate, and a token. */
async function openSiteWithToken() {
  const folder = await temporaryFolder();
  const [file, token] = [join(folder.path, "access.json"), join(folder.path, "token")];
  const words = ["token", "create", "client", "--may", "query,status", "--access-file", file, "--out", token];
  expect(await census(words)).toMatchObject({ code: 0 });
  const site = await openSite(["--client-auth", "want", "--access-file", file]);
  return {
    site,
    file,
    path: token,
    token: readFileSync(token, "utf8").trim(),
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const script = `
import sys, pypuppetdb, requests
port, ca, token = sys.argv[1:]
db = pypuppetdb.connect(host="localhost", port=int(port), ssl_verify=ca, token=token)
try:
    print(db.current_version(), len(list(db.nodes())))
except requests.exceptions.HTTPError as error:
    print(error.response.status_code, error.response.text)
`;

describe.skipIf(!canRun("pypuppetdb with a token", ["pypuppetdb", "openssl"]))("pypuppetdb with a token alone", () => {
  it("reads, and gets Puppet Enterprise's answer once the token is revoked", async () => {
    await using own = await openSiteWithToken();
    const words = ["-c", script, new URL(own.site.tls).port, own.site.member.ca];
    const read = await run("/usr/bin/python3", [...words, own.token]);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+ 0\n$/) as string });
    expect(await census(["token", "revoke", "client", "--access-file", own.file])).toMatchObject({ code: 0 });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const refused = await run("/usr/bin/python3", [...words, own.token]);
    expect(refused.stdout).toContain('401 {"kind":"puppetlabs.rbac/token-revoked"');
  });
});

describe.skipIf(!canRun("octocatalog-diff with a token", ["octocatalog-diff", "openssl"]))(
  "octocatalog-diff with a token alone",
  () => {
    it("reads the facts and the catalog of a node", async () => {
      await using own = await openSiteWithToken();
      const words = [
        "--hostname",
        "web-01.example.com",
        "--from-puppetdb",
        "--catalog-only",
        "--puppetdb-url",
        own.site.tls,
      ];
      const rest = ["--puppetdb-ssl-ca", own.site.member.ca, "--no-enc", "--no-hiera-config"];
      const missing = await run("octocatalog-diff", [...words, ...rest, "--puppetdb-token-file", own.path]);
      expect(missing.stderr).toContain("404");
      const denied = await run("octocatalog-diff", [...words, ...rest, "--puppetdb-token", "census_wrong"]);
      expect(denied.stderr).toMatch(/401|not valid/);
    });
  },
);

describe("census with a token alone", () => {
  it("reads, and says why it is refused", async () => {
    await using own = await openSiteWithToken();
    const words = ["query", "nodes{}", "--url", own.site.tls, "--cacert", own.site.member.ca];
    expect(await census([...words, "--token", own.path])).toMatchObject({ code: 0, stdout: "[]\n" });
    const none = await census(words);
    expect(none.stderr).toContain(
      "returned HTTP 401: Route requires authentication; name a file with a token with --token",
    );
  });
});
