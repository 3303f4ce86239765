import { messageOf } from "#storage/errors.ts";

/** What a child says to the process that started it. */
export type Reply<T> = { readonly value: T } | { readonly error: string };

/**
 * The body of a child process: does one job with the input it was started with and replies with what came of it. A job
 * that leaves something running, such as a server, lives until its parent lets go of it.
 */
export function runJob<Output>(job: (input: never) => Promise<Output>): void {
  process.once("disconnect", () => process.exit());
  replyWith(job(JSON.parse(process.argv[2] ?? "null") as never));
}

/**
 * Handles the messages that the parent sends later with `Child.send`, and returns its results to it. For jobs that leave
 * something running.
 */
export function onMessage(take: (message: never) => unknown): void {
  process.on("message", (message) => replyWith(Promise.resolve().then(() => take(message as never))));
}

function reply(message: Reply<unknown>): void {
  process.send?.(message);
}

function replyWith(outcome: Promise<unknown>): void {
  outcome.then(
    (value) => reply({ value: value ?? null }),
    (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }),
  );
}
