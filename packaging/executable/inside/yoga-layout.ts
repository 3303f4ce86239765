import { loadYoga } from "yoga-layout/load";

/** Replaces the package `yoga-layout` in the packaged program: its engine is loaded by a call instead of an import. */
let yoga: Awaited<ReturnType<typeof loadYoga>>;

export async function load(): Promise<void> {
  yoga = await loadYoga();
}

export { yoga as default };
export * from "yoga-layout/load";
