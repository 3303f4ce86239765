import { spawnSync } from "node:child_process";
import { CensusError } from "#storage/errors.ts";
import { version } from "#app/version.ts";
import { root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import type { Part } from "./parts.ts";

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly [property: string]: unknown;
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [property: string]: unknown;
}

/**
 * The bill of materials of an executable, as CycloneDX in JSON: npm's output for the lock file, reduced to its parts.
 * Without time and serial number, so that it is reproducible.
 */
export function billOfMaterials(target: Target, parts: readonly Part[]): string {
  const bill = lockedBill();
  const listed = parts.map((part) => {
    const locked = bill.components.find(isOf(part));
    // Some are development dependencies of the project, because it bundles them. They are part of the executable.
    return locked === undefined ? unlocked(part) : { ...locked, scope: "required", properties: [] };
  });
  const known = new Set(listed.map((component) => component["bom-ref"]));
  const census = `census@${version}`;
  const dependencies = bill.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
  const whole = {
    bomFormat: "CycloneDX",
    specVersion: bill["specVersion"],
    version: 1,
    metadata: {
      component: {
        "bom-ref": census,
        type: "application",
        name: "census",
        version,
        purl: `pkg:generic/census@${version}?platform=${target.name}`,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: listed,
    dependencies: [{ ref: census, dependsOn: [...known] }, ...dependencies],
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

function isOf({ name, version }: Part): (component: Component) => boolean {
  return (component) => component.name === name && component.version === version;
}

/** Packages that are fetched for another platform. */
function unlocked({ name, version, licence }: Part): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const licenses = [{ license: { id: licence } }];
  return { "bom-ref": `${name}@${version}`, type: "library", name, version, scope: "required", purl, licenses };
}

function lockedBill(): Bill {
  const npm = process.env["npm_execpath"];
  const words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--loglevel=error"];
  const options = { cwd: root, maxBuffer: 2 ** 26 };
  const run =
    npm === undefined ? spawnSync("npm", words, options) : spawnSync(process.execPath, [npm, ...words], options);
  if (run.status !== 0) throw new CensusError("bad-file", `npm sbom: ${run.stderr.toString().trim()}`);
  return JSON.parse(run.stdout.toString()) as Bill;
}
