import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes a folder that all test files of one run share, for what is costly to make and the same for all of them.
 * @returns removes it after the run
 */
export default function setup(): () => void {
  // Made for another project of vitest.config.ts.
  if (process.env["CENSUS_TEST_SHARED"] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "census-shared-"));
  process.env["CENSUS_TEST_SHARED"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
