import { parentPort } from "node:worker_threads";
import { lowerPriority } from "#storage/thread-priority.ts";
import { isPassword } from "./password-hash.ts";

/** A thread that checks passwords; see `password-checks.ts`. */
lowerPriority();
parentPort?.on("message", ({ id, password, hash }: { id: number; password: string; hash: string }) => {
  parentPort?.postMessage({ id, isRight: isPassword(password, hash) });
});
