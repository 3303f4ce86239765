import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { constants, zstdCompressSync } from "node:zlib";
import { version } from "#app/version.ts";
import type { Target } from "../executable/targets.ts";
import type { ReleaseFiles } from "./files.ts";
import { imageData, imageEntries, imageUser } from "./image-files.ts";
import { tarPieces } from "./tar.ts";

/*
 * An image for containers, as a tar with the layout of OCI: https://github.com/opencontainers/image-spec. No daemon makes it.
 * Its layers are compressed by zstd, since gzip would make it larger than 60 MB; `manifest.json` is for `docker load`.
 */

/** The names of our targets' architectures in images. */
const architectures: Readonly<Record<string, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" };

/** A target and its files. */
export interface ImageSource {
  readonly target: Target;
  readonly files: ReleaseFiles;
}

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The file name of the image. */
export const imageName = `census-${version}-image.tar`;

const [QUICK, THOROUGH] = [3, 12];

const vendor = "application/vnd.oci.image";

/**
 * Writes one image for all targets.
 * @throws CensusError "unavailable" if this machine has no libraries for a target
 */
export async function writeImage(
  path: string,
  sources: readonly ImageSource[],
  { seconds, isQuick }: { readonly seconds: number; readonly isQuick: boolean },
): Promise<void> {
  const blobs = new Map<string, Uint8Array>();
  const add = (mediaType: string, content: Uint8Array): Blob => {
    const digest = sha256(content);
    blobs.set(digest, content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const manifests = [];
  const loadable = [];
  for (const { target, files } of sources) {
    const architecture = architectures[target.name] ?? "";
    const tar = Buffer.concat(await tarPieces(imageEntries(target, files), seconds));
    const params = { [constants.ZSTD_c_compressionLevel]: isQuick ? QUICK : THOROUGH };
    const layer = add(`${vendor}.layer.v1.tar+zstd`, zstdCompressSync(tar, { params }));
    const config = add(`${vendor}.config.v1+json`, json(configuration(architecture, `sha256:${sha256(tar)}`, seconds)));
    const mediaType = `${vendor}.manifest.v1+json`;
    const manifest = add(mediaType, json({ schemaVersion: 2, mediaType, config, layers: [layer] }));
    manifests.push({ ...manifest, platform: { os: "linux", architecture } });
    loadable.push({
      Config: blobPath(config),
      RepoTags: [`census:${version}-${architecture}`],
      Layers: [blobPath(layer)],
    });
  }
  const mediaType = `${vendor}.index.v1+json`;
  const list = add(mediaType, json({ schemaVersion: 2, mediaType, manifests }));
  // Podman calls it what the first says, containerd what the second says.
  const annotations = {
    "org.opencontainers.image.ref.name": `census:${version}`,
    "io.containerd.image.name": `docker.io/library/census:${version}`,
  };
  const named = { ...list, annotations };
  const entries = [
    ...["blobs/", "blobs/sha256/"].map((name) => ({ path: name, mode: 0o755 })),
    ...[...blobs].map(([digest, content]) => ({ path: `blobs/sha256/${digest}`, content, mode: 0o644 })),
    { path: "index.json", content: json({ schemaVersion: 2, mediaType, manifests: [named] }), mode: 0o644 },
    { path: "manifest.json", content: json(loadable), mode: 0o644 },
    { path: "oci-layout", content: json({ imageLayoutVersion: "1.0.0" }), mode: 0o644 },
  ];
  writeFileSync(path, Buffer.concat(await tarPieces(entries, seconds)));
}

function configuration(architecture: string, diff: string, seconds: number): object {
  const created = new Date(seconds * 1000).toISOString();
  const second = 1e9;
  return {
    created,
    architecture,
    os: "linux",
    config: {
      User: `${imageUser}:${imageUser}`,
      ExposedPorts: { "8080/tcp": {}, "8081/tcp": {} },
      // The engine's library is unpacked below the home directory.
      Env: ["PATH=/usr/bin", `HOME=${imageData}`],
      Entrypoint: ["/usr/bin/census"],
      // Outside of the container, only published ports can be reached.
      Cmd: ["serve", "--data", imageData, "--host", "0.0.0.0", "--allow-plain-http"],
      Volumes: { [imageData]: {} },
      WorkingDir: imageData,
      Labels: {
        "org.opencontainers.image.title": "census",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.description": "Configuration inventory of a fleet of nodes",
      },
      Healthcheck: {
        Test: ["CMD", "/usr/bin/census", "status", "--url", "http://127.0.0.1:8080"],
        Interval: 30 * second,
        Timeout: 10 * second,
        StartPeriod: 60 * second,
      },
    },
    rootfs: { type: "layers", diff_ids: [diff] },
    history: [{ created, comment: "npm run package" }],
  };
}

function blobPath({ digest }: Blob): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
