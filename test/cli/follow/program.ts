import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { a, type TextSubmission } from "#test/fixture-store.ts";
import { type Running, running } from "#test/running.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { start } from "../census.ts";

/** A program that runs until it is ended, and what it has written so far. */
export interface Following {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The lines of stdout, which are JSON. */
  readonly rows: () => Record<string, unknown>[];
  /** Sends a signal and waits for the end; the exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Waits for the end; the exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts `census tail` or `census watch`. */
export function follow(words: readonly string[], env: NodeJS.ProcessEnv = {}): Following {
  const child = start(words, { env });
  child.stdin.end();
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (said.stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (said.stderr += piece));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    rows: () =>
      said.stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    ended,
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a server over a data directory. */
export async function serveData(data: string, port = 0, words: readonly string[] = []): Promise<Running> {
  return running(start(["serve", "--data", data, "--port", String(port), ...words]));
}

/** A report of now, with one event. */
export function reportNow(certname: string, changes: Parameters<typeof a.report>[1] = {}): TextSubmission {
  const now = new Date().toISOString();
  const event = payloads.event({ status: "failure", timestamp: now, message: "no such package" });
  return a.report(certname, {
    producer_timestamp: now,
    start_time: now,
    end_time: now,
    status: "failed",
    environment: "production",
    resources: [payloads.reportResource({ timestamp: now, events: [event], containment_path: ["Stage[main]", "Ntp"] })],
    ...changes,
  });
}

/** Sends commands to a server, many at a time, and waits until they are stored. */
export async function send(url: string, ...submissions: readonly TextSubmission[]): Promise<void> {
  const names = { "store report": "store_report", "replace facts": "replace_facts" } as const;
  await Promise.all(
    submissions.map(async ({ command, version, certname, payload }) => {
      const name = names[command as keyof typeof names];
      const response = await fetch(`${url}/pdb/cmd/v1?command=${name}&version=${version}&certname=${certname}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: payload,
      });
      expect(response.status).toBe(200);
    }),
  );
}

/** The rows of a query in PQL. */
export async function queried(url: string, query: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${url}/pdb/query/v4?query=${encodeURIComponent(query)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>[];
}
