import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { census, SAMPLE, workFolder } from "../census.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/check.md", import.meta.url)), "utf8");
const folder = workFolder();

it("the worked example of docs/check.md prints what the page shows", async () => {
  const [, file = ""] = /```yaml\n(parameters:[^]*?)```/.exec(page) ?? [];
  const [, command = "", shown = ""] = /```console\n\$ census (check [^\n]*)\n(✖[^]*?)```/.exec(page) ?? [];
  const path = join(folder, "checks.yaml");
  writeFileSync(path, file);
  const places: Readonly<Record<string, string>> = { "checks.yaml": path, "export.tgz": SAMPLE };
  const { code, stdout, stderr } = await census(command.split(" ").map((word) => places[word] ?? word));
  expect({ code, stderr, stdout: stdout.replaceAll(path, "checks.yaml") }).toStrictEqual({
    code: 1,
    stderr: "",
    stdout: shown,
  });
});
