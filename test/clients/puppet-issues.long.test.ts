import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Issues } from "#storage/issues/issue.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { runScript } from "./run.ts";
import { openSite } from "./site.ts";
import { canRun } from "./tools.ts";

const script = "puppet-run.sh";

/** Resources that fail in different ways, by what they are listed as. */
const failing: Readonly<Record<string, string>> = {
  "Exec[exits]": "exec { 'exits': command => '/bin/sh -c \"echo broken >&2; exit 3\"', logoutput => on_failure }",
  "Exec[missing]": "exec { 'missing': command => '/no/such/program' }",
  "Exec[hangs]": "exec { 'hangs': command => '/bin/sleep 9', timeout => 1 }",
  "File[/no/such/folder/file]": "file { '/no/such/folder/file': ensure => file, content => 'text' }",
  "File[/tmp/of-nobody]": "file { '/tmp/of-nobody': ensure => file, source => '/no/such/source' }",
  "Service[no-such-service]": "service { 'no-such-service': ensure => running, provider => systemd }",
  "Exec[refreshes]": "exec { 'refreshes': command => '/bin/false', refreshonly => true, subscribe => Notify['said'] }",
};

/** Another resource that succeeds, and one that is skipped. */
const others = "notify { 'said': }\nexec { 'waits': command => '/bin/true', require => Exec['exits'] }";

describe.skipIf(!canRun("the issues of a real agent", ["puppet", "terminus", "openssl"], script))(
  "a real agent",
  () => {
    it("has one issue for each resource that failed", async () => {
      await using site = await openSite();
      await using folder = await temporaryFolder();
      const manifest = join(folder.path, "failing.pp");
      await writeFile(manifest, `${Object.values(failing).join("\n")}\n${others}\n`);
      const { ca, cert, key } = site.member;
      const words = [site.tls, ca, cert, key, "failing.example.test", "apply", manifest];
      const { code, stdout, stderr } = await runScript(script, words);
      expect({ code, stdout, stderr }).toMatchObject({ code: 6 });
      await expect.poll(() => listed(site.plain), { timeout: 60_000 }).toStrictEqual(Object.keys(failing).sort());
    });
  },
);

/** The resources of all issues; of an issue without one its message. */
async function listed(url: string): Promise<string[]> {
  const response = await fetch(`${url}/explorer/api/v1/issues?last=1h`);
  const { issues } = (await response.json()) as Issues;
  return issues.map(({ type, title, message }) => (type === null ? message : `${type}[${title ?? ""}]`)).sort();
}
