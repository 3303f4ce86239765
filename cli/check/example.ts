import { writeFileSync } from "node:fs";
import { CensusError, messageOf } from "#storage/errors.ts";
import { stdout } from "../stdout.ts";

const EXAMPLE = `# Checks of a fleet: census check FILE --archive export.tgz
parameters:
  max_failed: 0

queries:
  - name: Few nodes failed
    states: [failed, hidden]
    expect: { rows: { max: $max_failed } }
    advice: census issues shows the reasons.

  - name: Every node has facts
    query: nodes[certname] { facts_timestamp is null }
    expect: no rows
    severity: warning

  - name: Only known operating systems
    query: inventory[certname, facts.os.family] {}
    expect: { column: facts.os.family, only: [Debian, RedHat, Suse, windows] }

  # Compared with an older archive: --against last-week.tgz
  - name: No new failures
    query: events[certname, resource_type, resource_title] { latest_report? = true and status = "failure" }
    expect: no new rows
`;

/**
 * Writes a file of checks to begin with.
 * @throws CensusError "bad-file" when it exists or cannot be written
 */
export async function writeExample(path: string): Promise<void> {
  try {
    writeFileSync(path, EXAMPLE, { flag: "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const problem = isThere ? "already exists; choose another name" : `cannot be written: ${messageOf(error)}`;
    throw new CensusError("bad-file", `${path}: ${problem}`, { cause: error });
  }
  await stdout.write(`Wrote ${path}; run census check ${path} --archive export.tgz\n`);
}
