import { describe, expect, it } from "vitest";
import { startServer } from "#test/cli/census.ts";
import { runScript } from "./run.ts";
import { openSite } from "./site.ts";
import { canRun } from "./tools.ts";

const script = "pypuppetdb-all.py";

/** All that it says when every call of the library does what it does with PuppetDB. */
function verdict(stdout: string): { failed: string[]; last: string | undefined } {
  const lines = stdout.trimEnd().split("\n");
  return { failed: lines.filter((line) => line.startsWith("FAILED")), last: lines.at(-1) };
}

const asExpected = { failed: [], last: "all calls as expected" };

describe.skipIf(!canRun("pypuppetdb", ["pypuppetdb"], script))("pypuppetdb", () => {
  it("gets the same data and metrics from a local store as from PuppetDB", async () => {
    const server = await startServer(["serve", "--memory", "--port", "0"]);
    try {
      const { code, stdout, stderr } = await runScript(script, [server.url]);
      expect({ ...verdict(stdout), code, stderr }).toStrictEqual({ ...asExpected, code: 0, stderr: "" });
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(!canRun("pypuppetdb over TLS", ["pypuppetdb", "openssl"], script))(
  "pypuppetdb with a certificate",
  () => {
    it("gets the same data over TLS as from PuppetDB", async () => {
      await using site = await openSite();
      const { ca, cert, key } = site.member;
      const { code, stdout, stderr } = await runScript(script, [site.tls, ca, cert, key]);
      expect({ ...verdict(stdout), code, stderr }).toStrictEqual({ ...asExpected, code: 0, stderr: "" });
    });
  },
);
