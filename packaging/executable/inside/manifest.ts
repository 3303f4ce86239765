/** What the program carries that can be used from files alone: the engine's library, the usual population. */
export type CargoKind = "native" | "population";

/** What it carries of a kind. */
export interface Manifest {
  readonly kind: CargoKind;
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

/** The asset that holds the manifest. */
export function manifestAsset(kind: CargoKind): string {
  return `${kind}/manifest.json`;
}

/** The asset that holds a file. */
export function fileAsset(kind: CargoKind, { name }: PackedFile): string {
  return `${kind}/${name}.zst`;
}
