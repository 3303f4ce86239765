/** Chooses the faster one of two variants of `react`. */
const VARIANT = "NODE_ENV";

/**
 * Prepares the terminal library; `screen.ts` is loaded afterwards. From source, its parts are loaded by imports. The
 * executable replaces this file, because its scripts cannot wait while they are loaded.
 */
export async function prepareLibrary(): Promise<void> {
  process.env[VARIANT] ??= "production";
  await Promise.resolve();
}
