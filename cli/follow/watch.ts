import { CensusError, messageOf } from "#storage/errors.ts";
import { hasColours } from "../colours.ts";
import { oneLine, UsageError } from "../errors.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { counted } from "../output/counted.ts";
import { chooseSource } from "../sources/choice.ts";
import type { OpenSource } from "../sources/open-source.ts";
import type { SourceArguments } from "../sources/options.ts";
import { withSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import { type Delivered, readCursor, type WatchedQuery, writeCursor } from "./cursor-file.ts";
import { type FollowFormat, isForPeople } from "./output-option.ts";
import { pause, readInterval } from "./pause.ts";
import { Persistent } from "./persistent.ts";
import { type Change, changeOf, rowChanges } from "./row-changes.ts";
import { runCommand } from "./run-command.ts";
import { untilStopped } from "./until-stopped.ts";
import { changeLines, changeText } from "./watch-text.ts";
import { postChange, readWebhook } from "./webhook.ts";

/** What `census watch` takes. */
export interface WatchArguments extends SourceArguments {
  readonly query: string;
  readonly sql?: boolean | undefined;
  readonly every?: string | undefined;
  readonly once?: boolean | undefined;
  readonly initial?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly exec?: string | undefined;
  readonly webhook?: string | undefined;
  readonly secret?: string | undefined;
  readonly "webhook-cacert"?: string | undefined;
  readonly output?: FollowFormat | undefined;
}

/** Runs a query again and again, and delivers the rows that came or went since what was delivered last. */
export async function runWatch(args: WatchArguments): Promise<void> {
  const choice = chooseSource("watch", args);
  const every = readInterval("--every", args.every ?? "30s");
  const watched: WatchedQuery = { query: args.query, isSql: args.sql === true };
  if (watched.query.trim() === "") throw new UsageError("watch: the query is empty");
  if (choice.kind !== "url" && args.once !== true) {
    throw new UsageError("watch: an archive or a data directory does not change; compare it with a --cursor by --once");
  }
  if (args.once === true && args.cursor === undefined)
    throw new UsageError("watch: --once needs --cursor FILE to compare with");
  const deliver = await deliverer(args);
  const known = args.cursor === undefined ? undefined : await readCursor(args.cursor, watched);
  await withSource(choice, undefined, (source) =>
    untilStopped(async (stop) => {
      const read = rowsReader(source, watched, stop);
      const save = async (delivered: Delivered): Promise<Delivered> => {
        if (args.cursor !== undefined) await writeCursor(args.cursor, watched, delivered);
        return delivered;
      };
      let delivered = known;
      for (;;) {
        const rows = await read();
        if (delivered === undefined && args.initial !== true) {
          delivered = await save({ sequence: 0, rows });
          process.stderr.write(`census: ${counted(rows.length, "row")} at first\n`);
          if (rows.length === 0) await printWhyNothing({ text: watched.query, isSql: watched.isSql }, source);
        } else {
          const base: Delivered = delivered ?? { sequence: 0, rows: [] };
          const changes = rowChanges(base.rows, rows);
          const sequence = base.sequence + 1;
          const about = { sequence, time: new Date().toISOString(), query: args.query, source: source.name };
          const isChanged = changes.added.length > 0 || changes.removed.length > 0;
          const isDelivered = !isChanged || (await delivery(deliver, changeOf(changes, about), stop));
          if (!isDelivered && args.once === true)
            throw new CensusError("bad-file", "watch: the change was not delivered");
          // Only what was delivered is known: until then the change is found again.
          if (isChanged && isDelivered) delivered = await save({ sequence, rows });
          else if (!isChanged && delivered === undefined) delivered = await save(base);
        }
        if (args.once === true || stop.aborted) return;
        await pause(every, stop);
      }
    }),
  );
}

type ReadTexts = () => Promise<string[]>;

function rowsReader(source: OpenSource, { query, isSql }: WatchedQuery, stop: AbortSignal): ReadTexts {
  const read = async (signal: AbortSignal): Promise<string[]> => {
    return all(isSql ? await source.sql(query, { signal }) : (await source.query(query, { signal })).rows);
  };
  const persistent = new Persistent(source.name, stop);
  return () => (source.kind === "url" ? persistent.run(read) : read(stop));
}

async function all(batches: AsyncIterable<readonly string[]>): Promise<string[]> {
  const rows: string[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

/** Delivers a change once. @throws when it was not delivered */
type Deliver = (change: Change) => Promise<void>;

/** To the command, the receiver, and last to stdout, where each change is then printed once unless the program is killed. */
async function deliverer(args: WatchArguments): Promise<Deliver> {
  const { exec, webhook: address, output, secret, "webhook-cacert": cacert } = args;
  if (exec !== undefined && address !== undefined)
    throw new UsageError("watch: --exec and --webhook cannot be used together");
  if (secret !== undefined && address === undefined) throw new UsageError("watch: --secret needs --webhook");
  if (cacert !== undefined && address === undefined) throw new UsageError("watch: --webhook-cacert needs --webhook");
  const webhook = address === undefined ? undefined : await readWebhook(address, { secret, cacert });
  const isText = isForPeople(output);
  const isColoured = hasColours(process.stdout);
  return async (change) => {
    if (exec !== undefined) await runCommand(exec, change);
    if (webhook !== undefined) await postChange(webhook, change);
    await stdout.write(isText ? changeText(change, isColoured) : changeLines(change));
  };
}

/** Tries several times; an attempt that has begun is completed even after SIGINT or SIGTERM. @returns whether it succeeded */
async function delivery(deliver: Deliver, change: Change, stop: AbortSignal): Promise<boolean> {
  for (let attempt = 1, wait = 1000; ; attempt++, wait *= 2) {
    try {
      await deliver(change);
      return true;
    } catch (error) {
      // Of stdout, for one.
      if (!(error instanceof CensusError)) throw error;
      const isLast = attempt === 5 || stop.aborted;
      const next = isLast ? "the change is kept" : "trying again";
      process.stderr.write(
        `census: change ${change.sequence} was not delivered: ${oneLine(messageOf(error))}; ${next}\n`,
      );
      if (isLast) return false;
    }
    await pause(wait, stop);
    if (stop.aborted) return false;
  }
}
