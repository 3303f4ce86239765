import { messageOf } from "#storage/errors.ts";

/** What a child says to the process that started it. */
export type Reply<T> = { readonly value: T } | { readonly error: string };

/**
 * The body of a child process: does one job with the input it was started with and replies with what came of it. A job
 * that leaves something running, such as a server, lives until its parent lets go of it.
 */
export function runJob<Output>(job: (input: never) => Promise<Output>): void {
  process.once("disconnect", () => process.exit());
  const reply = (message: Reply<Output>): void => void process.send?.(message);
  job(JSON.parse(process.argv[2] ?? "null") as never).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }),
  );
}

/**
 * Does what the parent says later on with `Child.tell`, one message after the other; to be called by a job that leaves
 * something running.
 */
export function onTold(take: (message: never) => void): void {
  process.on("message", (message) => {
    take(message as never);
    process.send?.({ value: null });
  });
}
