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

/** A delivered file and its path. */
export interface ReleaseFile {
  readonly path: string;
  readonly content: Uint8Array | string;
  readonly isProgram?: true;
}

/** How files are archived. */
export interface ReleaseOptions {
  /** Modification time of files, seconds since 1970. */
  readonly seconds: number;
  /** Compression level of xz. */
  readonly level: number;
}

/** An executable and the files delivered with it. */
export interface ReleaseFiles {
  readonly program: Uint8Array;
  readonly unit: string;
  readonly users: string;
  /** The sample configuration, by file name. */
  readonly configuration: readonly (readonly [name: string, text: string])[];
  /** Alerts and a dashboard, by file name. */
  readonly monitoring: readonly (readonly [name: string, text: string])[];
  /** Examples for Docker Compose and Kubernetes, by file name. */
  readonly containers: readonly (readonly [name: string, text: string])[];
  /** Scripts and examples for continuous integration, by path below the directory `ci`. */
  readonly integration: readonly (readonly [path: string, text: string])[];
  /** A script that makes repositories for apt and dnf, by file name. */
  readonly repositories: readonly (readonly [name: string, text: string])[];
  /** How logrotate rotates the access log. */
  readonly rotation: string;
  readonly completions: Readonly<Record<"bash" | "zsh" | "fish", string>>;
  readonly manual: string;
  readonly licences: string;
  readonly bill: string;
  /** The installation guide. */
  readonly guide: string;
  /** The pages of `docs/`, by path below it. */
  readonly pages: readonly (readonly [path: string, content: Uint8Array])[];
}

/** The files for continuous integration; docs/ci.md explains them. */
const integration = [
  "github-workflow.yml",
  "gitlab-ci.yml",
  "Jenkinsfile",
  "setup-census/action.yml",
  "setup-census/install.sh",
];

/**
 * Collects the files of a release.
 * @param executable the program for the target
 * @param bundled the directories of the bundled packages
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
    monitoring: ["census-rules.yaml", "census-dashboard.json"].map((name) => [
      name,
      text(root, "packaging/monitoring", name),
    ]),
    containers: ["compose.yaml", "kubernetes.yaml", "kubernetes-shared-log.yaml"].map((name) => [
      name,
      text(root, "packaging/container", name),
    ]),
    integration: integration.map((name) => [name, text(root, "packaging/ci", name)]),
    repositories: ["make-repositories.sh"].map((name) => [name, text(root, "packaging/repository", name)]),
    rotation: text(root, "packaging/logrotate/census"),
    completions: { bash: said("completion", "bash"), zsh: said("completion", "zsh"), fish: said("completion", "fish") },
    manual: said("help", "--man"),
    licences: licencesText(parts),
    bill: billOfMaterials(target, parts),
    guide: text(root, "docs/installation.md").replaceAll(/\]\((?=[\w-]+\.\w+)/g, "](docs/"),
    pages: pages(),
  };
}

function text(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}

/** The program's output, run from source, since the executable may be for another platform. */
function said(...words: string[]): string {
  const run = spawnSync(process.execPath, [join(root, "cli/main.ts"), ...words], { encoding: "utf8" });
  if (run.status !== 0) throw new CensusError("bad-file", `census ${words.join(" ")}: ${run.stderr.trim()}`);
  return run.stdout;
}
