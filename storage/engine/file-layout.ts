/*
 * The engine's file begins with three headers. The first one identifies the kind of file. The other two are written
 * alternately: the one with the higher iteration describes the last checkpoint. Blocks follow.
 */

/** Bytes of a header. */
export const HEADER = 4096;

/** Bytes before the first block. */
export const HEADERS: number = 3 * HEADER;

/** Bytes at the beginning of a header or block for the checksum of the rest. In a header the iteration follows. */
export const CHECKSUM = 8;

/** The most rows of a row group. */
export const GROUP_ROWS = 122_880;

/** Rows that the engine compresses, reads and appends together. */
export const VECTOR_ROWS = 2048;
