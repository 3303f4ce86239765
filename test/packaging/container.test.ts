import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { version } from "#app/version.ts";
import { imageData, imageUser } from "#packaging/release/image-files.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { census, workFolder } from "#test/cli/census.ts";

const files = resolve(import.meta.dirname, "../../packaging/container");
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
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector: unknown;
    readonly template?: { readonly metadata: { readonly labels: unknown }; readonly spec: Pod };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

describe("compose.yaml", () => {
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

describe("kubernetes.yaml", () => {
  const manifests = parseAllDocuments(readFileSync(join(files, "kubernetes.yaml"), "utf8")).map(
    (document) => document.toJS() as Manifest,
  );
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
    const tls = join(folder, "tls");
    const conf = join(folder, "conf.d");
    for (const path of [tls, conf]) mkdirSync(path);
    const secrets = { "tls.crt": own.cert, "tls.key": own.key, "ca.crt": authority.cert };
    for (const [name, text] of Object.entries(secrets)) writeFileSync(join(tls, name), text, { mode: 0o600 });
    const { data = {} } = manifests.find(({ kind }) => kind === "ConfigMap") ?? {};
    for (const [name, text] of Object.entries(data))
      writeFileSync(join(conf, name), text.replaceAll("/etc/census/tls", tls));
    const words = ["--config", conf, "--data", join(folder, "data"), "--port", "0", "--ssl-port", "0"];
    const { stdout } = await census(["config", "--check", ...words]);
    expect(stdout).not.toMatch(/^error/m);
    const https = container?.ports.map(({ containerPort }) => containerPort);
    expect(data["census.ini"]).toContain(`ssl-port = ${https?.join()}\n`);
  });
});
