import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { version } from "#app/version.ts";
import { imageData, imageUser } from "#packaging/release/image-files.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { census, workFolder } from "#test/cli/census.ts";

const files = resolve(import.meta.dirname, "../../../packaging/container");
const root = resolve(files, "../..");
const folder = workFolder();

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: object;
}
interface Pod {
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector: unknown;
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly template?: { readonly metadata: { readonly labels: unknown }; readonly spec: Pod };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

describe("compose.yaml", () => {
  it("follows the schema of the Compose specification", () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, "compose-spec.json"), "utf8")) as object;
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const compose = parse(readFileSync(join(files, "compose.yaml"), "utf8")) as { services: { census: object } };
    expect([isValid(compose), isValid.errors]).toEqual([true, null]);
    // It notices a misspelt key.
    expect(isValid({ services: { census: { ...compose.services.census, readonly: true } } })).toBe(false);
  });

  it("runs the image of this version with its volume, and publishes plain HTTP on loopback only", () => {
    const { services } = parse(readFileSync(join(files, "compose.yaml"), "utf8")) as {
      services: { census: Record<string, unknown> };
    };
    expect(services.census).toMatchObject({
      image: `census:${version}-amd64`,
      read_only: true,
      ports: ["127.0.0.1:8080:8080"],
      volumes: [`census-data:${imageData}`],
    });
  });
});

const manifestsOf = (name: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(files, name), "utf8")).map((document) => document.toJS() as Manifest);

const kubernetes = ["kubernetes.yaml", "kubernetes-shared-log.yaml"];

/** Types of Kubernetes' API, made of its OpenAPI description: a wrong type and an unknown or missing key are errors. */
it("manifests for Kubernetes follow its schemas", () => {
  const types: string[] = [];
  const checked = kubernetes.flatMap(manifestsOf).map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const module = join(root, "node_modules/kubernetes-types", apiVersion === "v1" ? "core/v1" : apiVersion);
    types.push(`import type { ${kind} as Kind${index} } from ${JSON.stringify(`${module}.d.ts`)};`);
    return `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`;
  });
  // The check notices a misspelt key.
  checked.push('// @ts-expect-error\nexport const wrong: Kind0 = { metadata: { nam: "census" } };');
  const file = join(folder, "manifests.ts");
  writeFileSync(file, [...types, ...checked].join("\n"));
  const flags = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
  ];
  const words = [...flags, "--ignoreConfig", "--types", "", "--module", "nodenext", file];
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), words, { encoding: "utf8", cwd: folder });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

describe.each(kubernetes)("%s", (name) => {
  const manifests = manifestsOf(name);
  const set = manifests.find(({ kind }) => kind === "StatefulSet");
  const [container] = set?.spec?.template?.spec.containers ?? [];

  it("runs as the user of the image, with a root directory that it cannot write to", () => {
    expect(set?.spec?.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: imageUser });
    expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    expect(container?.image).toMatch(new RegExp(`/census:${version.replaceAll(".", String.raw`\.`)}$`));
  });

  it("selects its own pods and mounts only volumes that it declares", () => {
    const { template, volumeClaimTemplates = [], selector } = set?.spec ?? {};
    expect(selector).toEqual({ matchLabels: template?.metadata.labels });
    const declared = [...(template?.spec.volumes ?? []), ...volumeClaimTemplates.map(({ metadata }) => metadata)];
    const mounted = container?.volumeMounts.map(({ name }) => name).sort();
    expect(mounted).toEqual(declared.map(({ name }) => name).sort());
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toContain(imageData);
  });

  it("has a configuration with which the service starts", async () => {
    const authority = createAuthority("Site CA");
    const own = authority.issue({ name: "census", until: hoursFromNow(24 * 365) });
    const [tls, conf] = [join(folder, name, "tls"), join(folder, name, "conf.d")];
    for (const path of [tls, conf]) mkdirSync(path, { recursive: true });
    const secrets = { "tls.crt": own.cert, "tls.key": own.key, "ca.crt": authority.cert, password: "a password" };
    for (const [file, text] of Object.entries(secrets)) writeFileSync(join(tls, file), text, { mode: 0o600 });
    const { data = {} } = manifests.find(({ kind }) => kind === "ConfigMap") ?? {};
    for (const [file, text] of Object.entries(data))
      writeFileSync(join(conf, file), text.replaceAll(/\/etc\/census\/(?:tls|log)/g, tls));
    const words = ["--config", conf, "--data", join(folder, "data"), "--port", "0", "--ssl-port", "0"];
    const { stdout } = await census(["config", "--check", ...words]);
    expect(stdout).not.toMatch(/^error/m);
    const https = container?.ports.map(({ containerPort }) => containerPort);
    expect(data["census.ini"]).toContain(`ssl-port = ${https?.join()}\n`);
  });

  it("has as many servers as its log allows, and its Services and PodDisruptionBudget select them", () => {
    const { data = {} } = manifests.find(({ kind }) => kind === "ConfigMap") ?? {};
    const isShared = data["census.ini"]?.includes("command-log = ") === true;
    expect(set?.spec?.replicas).toBe(isShared ? 2 : 1);
    const labels = set?.spec?.template?.metadata.labels;
    const [services, budgets] = ["Service", "PodDisruptionBudget"].map((one) =>
      manifests.filter(({ kind }) => kind === one).map(({ spec }) => spec?.selector),
    );
    expect(services).toEqual(isShared ? [labels, labels] : [labels]);
    expect(budgets).toEqual(isShared ? [{ matchLabels: labels }] : []);
    const names = manifests.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name);
    expect(names).toContain(set?.spec?.serviceName);
  });
});
