import { describe, expect, it } from "vitest";
import { runScript } from "./run.ts";
import { openSite } from "./site.ts";
import { canRun } from "./tools.ts";

const script = "acceptance.sh";
const needed = ["puppet", "terminus", "openssl", "curl"] as const;

describe.skipIf(!canRun("puppet with the PuppetDB terminus", needed, script))(
  "puppet with the PuppetDB terminus",
  () => {
    // Two nodes: facts, catalogs, reports, collected resources, puppetdb_query(), deactivation. Its checksums are of the
    // whole message, and hold.
    it("gets the same data as from PuppetDB", async () => {
      await using site = await openSite(["--certificate-allowlist", "allowlist", "--verify-checksum"]);
      const { ca, cert, key } = site.member;
      const { code, stdout, stderr } = await runScript(script, [site.tls, ca, cert, key]);
      const checks = stdout.trimEnd().split("\n");
      const failed = checks.slice(0, -1).filter((line) => !line.startsWith("ok: "));
      expect({ code, failed, last: checks.at(-1), stderr }).toMatchObject({
        code: 0,
        failed: [],
        last: "all checks held",
      });
      expect(checks).toHaveLength(36);
    });
  },
);
