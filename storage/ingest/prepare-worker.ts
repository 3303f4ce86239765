import { parentPort } from "node:worker_threads";
import { type Attempt, attemptAll } from "./attempt.ts";
import type { Submission } from "./submission.ts";

/** What a worker is sent, and what it answers with. */
export interface Task {
  readonly id: number;
  readonly submissions: readonly Submission[];
}
export interface TaskDone {
  readonly id: number;
  readonly attempts: readonly Attempt[];
}

parentPort?.on("message", ({ id, submissions }: Task) => {
  const done: TaskDone = { id, attempts: attemptAll(submissions) };
  parentPort?.postMessage(done);
});
