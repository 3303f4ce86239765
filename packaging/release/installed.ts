import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { checksumsFile } from "#app/check/installed-files.ts";
import type { ReleaseFile, ReleaseFiles } from "./files.ts";

/** A file of a package, its path without the first slash. */
export interface InstalledFile extends ReleaseFile {
  /** A package manager keeps what was changed of a configuration; the others are marked where it has marks. */
  readonly kind?: "configuration" | "document" | "licence";
}

/** Where families of systems have what is in the same place elsewhere. */
interface Places {
  readonly zsh: string;
  readonly licences: string;
}

const documents = "usr/share/doc/census";

/** The places of Debian and of Red Hat. */
export const places = {
  debian: { zsh: "usr/share/zsh/vendor-completions/_census", licences: `${documents}/copyright` },
  redHat: { zsh: "usr/share/zsh/site-functions/_census", licences: "usr/share/licenses/census/LICENSES.txt" },
} as const satisfies Record<string, Places>;

/** The files of a package, and the list of their checksums for `census self-check`. */
export function installedFiles(files: ReleaseFiles, { zsh, licences }: Places): InstalledFile[] {
  const content: InstalledFile[] = [
    { path: "usr/bin/census", content: files.program, isProgram: true },
    { path: "usr/lib/systemd/system/census.service", content: files.unit },
    { path: "usr/lib/sysusers.d/census.conf", content: files.users },
    { path: "usr/share/bash-completion/completions/census", content: files.completions.bash },
    { path: zsh, content: files.completions.zsh },
    { path: "usr/share/fish/vendor_completions.d/census.fish", content: files.completions.fish },
    { path: "usr/share/man/man1/census.1.gz", content: gzipSync(files.manual, { level: 9 }), kind: "document" },
    { path: licences, content: files.licences, kind: "licence" },
    document("sbom.cdx.json", files.bill),
    ...files.pages.map(([name, page]) => document(name, page)),
    ...files.monitoring.map(([name, text]) => document(`monitoring/${name}`, text)),
    ...files.containers.map(([name, text]) => document(`container/${name}`, text)),
    ...files.repositories.map(([name, text]) => document(`repository/${name}`, text)),
    ...files.integration.map(([name, text]) => document(`ci/${name}`, text)),
    { path: "etc/logrotate.d/census", content: files.rotation, kind: "configuration" },
    ...files.configuration.map(([name, text]) => ({
      path: `etc/census/conf.d/${name}`,
      content: text,
      kind: "configuration" as const,
    })),
  ];
  return [...content, { path: `usr/share/census/${checksumsFile}`, content: checksums(content, "/") }];
}

/**
 * Checksums of files in the format of `sha256sum --check`, without configuration, which users change.
 * @param before what comes before each path
 */
export function checksums(files: readonly InstalledFile[], before: string): string {
  return files
    .filter(({ kind }) => kind !== "configuration")
    .map(({ path, content }) => `${createHash("sha256").update(content).digest("hex")}  ${before}${path}\n`)
    .join("");
}

function document(name: string, content: Uint8Array | string): InstalledFile {
  return { path: `${documents}/${name}`, content, kind: "document" };
}
