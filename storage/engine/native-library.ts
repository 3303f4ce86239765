/**
 * Puts the engine's native library where it can be loaded. Installed packages have it in place; the packaged program,
 * which carries it inside, brings another `native-library.ts` that unpacks it.
 */
export async function placeNativeLibrary(): Promise<void> {}
