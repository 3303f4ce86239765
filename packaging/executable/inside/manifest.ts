/** Embedded files that must be unpacked before use: the engine's library, the default population. */
export type EmbeddedKind = "native" | "population";

/** The embedded files of one kind. */
export interface Manifest {
  readonly kind: EmbeddedKind;
  /** Names these files of this version: the folder that they are unpacked to. */
  readonly id: string;
  /** Of a library the one that is loaded comes last. */
  readonly files: readonly PackedFile[];
}

/** A file, compressed with zstd. */
export interface PackedFile {
  readonly name: string;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Of the unpacked file, in hex. */
  readonly sha256: string;
}

/** The asset with the manifest. */
export function manifestAsset(kind: EmbeddedKind): string {
  return `${kind}/manifest.json`;
}

/** The asset with the file. */
export function fileAsset(kind: EmbeddedKind, { name }: PackedFile): string {
  return `${kind}/${name}.zst`;
}
