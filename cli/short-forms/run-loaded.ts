import type { ShortFormArguments } from "./options.ts";
import type { ShortForm } from "./run.ts";

/** Runs the query of a command when its code is loaded, and that which runs it. */
export async function runLoaded(args: ShortFormArguments, load: () => Promise<ShortForm>): Promise<void> {
  const [form, { runShortForm }] = await Promise.all([load(), import("./run.ts")]);
  await runShortForm(form, args);
}
