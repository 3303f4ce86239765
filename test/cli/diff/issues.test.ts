import { join } from "node:path";
import { expect, it } from "vitest";
import type { FixtureCommand } from "#fixtures/population.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { census, workFolder } from "../census.ts";
import { writeArchive } from "./site.ts";

const folder = workFolder();

function failed(certname: string, message: string): FixtureCommand {
  const at = "2026-11-20T10:00:00.000Z";
  const log = payloads.log({ level: "err", source: "Puppet", message });
  const times = { producer_timestamp: at, start_time: at, end_time: at };
  const payload = payloads.report({ certname, ...times, status: "failed", logs: [log], resources: [] });
  return { command: "store report", version: 8, certname, payload };
}

it("names the issues that came and went, also where no node differs otherwise", async () => {
  const [old, now] = [join(folder, "old.tgz"), join(folder, "new.tgz")];
  const time = "2026-11-20T12:00:00Z";
  await writeArchive(old, time, [failed("web-01", "The disk is full"), failed("web-02", "The lock is held")]);
  await writeArchive(now, time, [failed("web-01", "The clock is wrong"), failed("web-02", "The lock is held")]);

  const words = ["diff", old, now, "--exit-code"];
  const tree = await census(words);
  expect(tree).toMatchObject({ code: 1, stderr: "" });
  expect(tree.stdout).toBe("\nIssues\n  + run: The clock is wrong (1 node)\n  - run: The disk is full (1 node)\n");
  const { stdout } = await census([...words, "--output", "json"]);
  const { issues } = JSON.parse(stdout) as Record<"issues", Record<"came" | "went", { message: string }[]>>;
  expect(issues.came.map(({ message }) => message)).toEqual(["The clock is wrong"]);
  expect(issues.went.map(({ message }) => message)).toEqual(["The disk is full"]);
  expect((await census([...words, "--only", "facts"])).stdout).toBe("No differences\n");
});
