import { basename } from "node:path";
import { UsageError } from "../errors.ts";
import { hasColours } from "../colours.ts";
import { readInterval } from "../follow/pause.ts";
import { chooseSource } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";
import { onSignals } from "../signals.ts";
import { rowReader } from "../sources/read-rows.ts";
import { withSource } from "../sources/source.ts";
import { surviveUncaught } from "../uncaught.ts";
import { FleetReader } from "./read-fleet.ts";
import { Top } from "./top.ts";

/** The size of a terminal that does not say how large it is. */
const DEFAULT_SIZE = { rows: 24, columns: 80 } as const;

/** Windows has no job control. */
const canSuspend = process.platform !== "win32";

/**
 * Shows the full-screen view until it is left.
 * @returns the exit code
 */
export async function runTop(args: SourceArguments, every: string | undefined): Promise<number> {
  const choice = chooseSource("top", args);
  const interval = readInterval("--every", every ?? "5s");
  if (choice.kind !== "url" && every !== undefined) {
    throw new UsageError(
      "top: --every needs a server; an archive or a data directory does not change while it is shown",
    );
  }
  if (choice.asOf !== undefined && every !== undefined) {
    throw new UsageError("top: --every and --as-of cannot be used together; a past state does not change");
  }
  checkTerminal();
  return withSource(choice, ["reports"], async (source) => {
    const reader = new FleetReader(source);
    const fleet = await reader.read(rowReader(source));
    const { openScreen } = await import("./screen.ts");
    const top = new Top({
      source: choice.kind === "archive" ? basename(source.name) : source.name,
      fleet,
      reader,
      rowsUntil: (signal) => rowReader(source, signal),
      clock: source,
      interval: choice.kind === "url" && choice.asOf === undefined ? interval : undefined,
      limit: 30_000,
      isColoured: hasColours(process.stdout),
      size: terminalSize,
      openScreen,
      stopJob: canSuspend ? stopJob : undefined,
    });
    return whileItRuns(top);
  });
}

/** @throws UsageError where nothing can be shown, with what to use instead */
function checkTerminal(): void {
  const others = "use census status, census nodes or census events";
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(`top: needs a terminal; in pipes and scripts ${others}`);
  if (process.env["TERM"] === "dumb")
    throw new UsageError(`top: this terminal (TERM=dumb) cannot show a full screen; ${others}`);
}

function terminalSize(): { rows: number; columns: number } {
  const { rows, columns } = process.stdout;
  return { rows: rows > 0 ? rows : DEFAULT_SIZE.rows, columns: columns > 0 ? columns : DEFAULT_SIZE.columns };
}

/** Runs the view. However it ends, the terminal is as it was before. */
async function whileItRuns(top: Top): Promise<number> {
  const resize = (): void => top.resize();
  const suspend = (): void => top.suspend();
  const stopSurviving = surviveUncaught((error) => top.fail(error));
  const stopHandling = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (exitCode) => top.leave(exitCode));
  if (canSuspend) process.on("SIGTSTP", suspend);
  process.stdout.on("resize", resize);
  try {
    return await top.run();
  } finally {
    stopSurviving();
    stopHandling();
    process.off("SIGTSTP", suspend);
    process.stdout.off("resize", resize);
  }
}

/** Stops the processes of the shell's job, and calls back after `fg`. */
function stopJob(onContinue: () => void): void {
  // Without anything to wait for, the program would end before the signal is handled.
  const waiting = setInterval(() => undefined, 1000);
  process.once("SIGCONT", () => {
    clearInterval(waiting);
    onContinue();
  });
  process.kill(0, "SIGSTOP");
}
