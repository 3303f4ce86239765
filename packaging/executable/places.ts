import { join } from "node:path";

/** The project's directory. */
export const root: string = join(import.meta.dirname, "../..");

/** The output directory. */
export const output: string = join(root, "dist/package");

/** The build cache, files named by their checksum: compressed libraries, downloaded packages. */
export const cache: string = join(root, "node_modules/.cache/census");
