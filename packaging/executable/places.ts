import { join } from "node:path";

/** The project's folder. */
export const root: string = join(import.meta.dirname, "../..");

/** Where what is packaged lies. */
export const output: string = join(root, "dist/package");

/** What is kept between builds, each file named by its content: compressed libraries, downloaded packages. */
export const cache: string = join(root, "node_modules/.cache/census");
