/** What of the engine's native library the program carries. */
export interface NativeManifest {
  /** Names this library of this version: the folder that it is unpacked to. */
  readonly id: string;
  /** The file that is loaded comes last. */
  readonly files: readonly NativeFile[];
}

/** A file, compressed with zstd. */
export interface NativeFile {
  readonly name: string;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Of the unpacked file, in hex. */
  readonly sha256: string;
}

/** The assets that the program carries besides its code. */
export const manifestAsset = "native/manifest.json";

/** The asset that holds a file. */
export function nativeAsset({ name }: NativeFile): string {
  return `native/${name}.zst`;
}
