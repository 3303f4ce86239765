import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { runScript } from "./run.ts";
import { openSite } from "./site.ts";
import { canRun, clientsFolder } from "./tools.ts";

const script = "octocatalog.sh";
const needed = ["puppet", "terminus", "octocatalog-diff", "openssl"] as const;
const certname = "acceptance-one.example.test";

describe.skipIf(!canRun("octocatalog-diff", needed, script))("octocatalog-diff", () => {
  it("compiles the stored catalog from the stored facts", async () => {
    await using site = await openSite();
    await using folder = await temporaryFolder();
    const workdir = join(folder.path, "files");
    await mkdir(workdir);
    const { ca, cert, key } = site.member;
    const applied = await runScript(
      "puppet-run.sh",
      [site.tls, ca, cert, key, certname, "apply", join(clientsFolder(), "site.pp")],
      { FACTER_workdir: workdir },
    );
    // 2: changes were made, and none failed
    expect(applied).toMatchObject({ code: 2 });
    const compared = await runScript(script, [site.tls, ca, cert, key, certname]);
    expect(compared).toMatchObject({ code: 0, stdout: "" });
  });
});
