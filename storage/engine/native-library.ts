/**
 * Makes the engine's native library loadable. Installed packages have it in place; the packaged program, which embeds
 * it, replaces this file by one that unpacks it.
 */
export async function placeNativeLibrary(): Promise<void> {}
