import type { LogPosition } from "../entry.ts";

/** How far one of several logs is stored. */
export interface PlacedPosition extends LogPosition {
  /** The address of the log, without secrets. */
  readonly place: string;
}

/** How far all logs are stored, as the mark of an entry: JSON. */
export function encodePositions(positions: readonly PlacedPosition[]): string {
  return JSON.stringify(positions.map(({ place, log, id, mark = null }) => ({ place, log, id, mark })));
}

/** @returns none where the mark is not one of {@link encodePositions} */
export function decodePositions(text: string): readonly PlacedPosition[] {
  try {
    const all = JSON.parse(text) as readonly (Omit<PlacedPosition, "mark"> & { readonly mark: string | null })[];
    return all.map(({ mark, ...position }) => ({ ...position, mark: mark ?? undefined }));
  } catch {
    return [];
  }
}
