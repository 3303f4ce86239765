import { parentPort } from "node:worker_threads";
import { type Attempt, attemptAll } from "./attempt.ts";
import type { Submission } from "./submission.ts";

/** What a worker is sent, and what it answers with. */
export interface Task {
  readonly id: number;
  readonly submissions: readonly Submission[];
  /** For each of them, what its node's present content is told by. */
  readonly stored: readonly (string | undefined)[];
}
export interface TaskDone {
  readonly id: number;
  readonly attempts: readonly Attempt[];
}

parentPort?.on("message", ({ id, submissions, stored }: Task) => {
  const done: TaskDone = { id, attempts: attemptAll(submissions, stored) };
  parentPort?.postMessage(done);
});
