import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { root } from "../executable/places.ts";
import { pages } from "../pages.ts";
import type { Target } from "../executable/targets.ts";
import { licencesText } from "./licences.ts";
import { partsOf } from "./parts.ts";
import { billOfMaterials } from "./sbom.ts";

/** A file that is delivered, by its path. */
export interface ReleaseFile {
  readonly path: string;
  readonly content: Uint8Array | string;
  readonly isProgram?: true;
}

/** How what is delivered is put into one file. */
export interface ReleaseOptions {
  /** The time that files have, seconds since 1970. */
  readonly seconds: number;
  /** How hard it is compressed, as xz counts. */
  readonly level: number;
}

/** What belongs to an executable and is delivered with it, each where its reader looks for it. */
export interface ReleaseFiles {
  readonly program: Uint8Array;
  readonly unit: string;
  readonly users: string;
  /** The sample configuration, by file name. */
  readonly configuration: readonly (readonly [name: string, text: string])[];
  readonly completions: Readonly<Record<"bash" | "zsh" | "fish", string>>;
  readonly manual: string;
  readonly licences: string;
  readonly bill: string;
  /** How to install it where there is no network. */
  readonly guide: string;
  /** The pages of `docs/`, by path below it. */
  readonly pages: readonly (readonly [path: string, content: Uint8Array])[];
}

/**
 * Gathers what is delivered.
 * @param executable the program for the target
 * @param bundled the folders of the packages that something of is in its code
 */
export async function releaseFiles(
  target: Target,
  executable: string,
  bundled: readonly string[],
): Promise<ReleaseFiles> {
  const systemd = join(root, "packaging/systemd");
  const parts = await partsOf(target, bundled);
  return {
    program: readFileSync(executable),
    unit: text(systemd, "census.service"),
    users: text(systemd, "census.sysusers"),
    configuration: readdirSync(join(systemd, "census.conf.d"))
      .sort()
      .map((name) => [name, text(systemd, "census.conf.d", name)]),
    completions: { bash: said("completion", "bash"), zsh: said("completion", "zsh"), fish: said("completion", "fish") },
    manual: said("help", "--man"),
    licences: licencesText(parts),
    bill: billOfMaterials(target, parts),
    guide: text(root, "docs/air-gapped.md").replaceAll(/\]\((?=[\w-]+\.\w+)/g, "](docs/"),
    pages: pages(),
  };
}

function text(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}

/** What the program says, started from its source: it need not run here. */
function said(...words: string[]): string {
  const run = spawnSync(process.execPath, [join(root, "cli/main.ts"), ...words], { encoding: "utf8" });
  if (run.status !== 0) throw new CensusError("bad-file", `census ${words.join(" ")}: ${run.stderr.trim()}`);
  return run.stdout;
}
