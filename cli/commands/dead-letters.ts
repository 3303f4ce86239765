import { existsSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { DeadLetter, DeadLetters } from "#storage/queue/dead-letters.ts";
import { declareCommand } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import type { Chosen } from "../configured.ts";
import type { Wanted } from "../dead-letters/selection.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { counted } from "../output/counted.ts";
import { dataDirectoryOptions, placeText } from "../service-config.ts";
import { stdout } from "../stdout.ts";

/** The actions. */
const actions = ["list", "show", "retry", "delete"] as const;

export const deadLetters = declareCommand({
  name: "dead-letters",
  description: "List, show, retry or delete commands that could not be stored",
  args: {
    action: { type: "positional", required: true, valueHint: actions.join("|"), description: "Action" },
    name: { type: "positional", required: false, description: "Names of dead letters, as printed by list" },
    all: { type: "boolean", description: "Select all dead letters; with --command, all of that command" },
    command: {
      type: "string",
      valueHint: "COMMAND",
      description: "Select dead letters of this command, e.g. replace_facts",
    },
    ...dataDirectoryOptions,
    output: outputOption("table", "json"),
    yes: { type: "boolean", description: "Proceed without confirmation; with delete" },
  },
  repeats: true,
  examples: [
    "dead-letters list --data /var/lib/census",
    "dead-letters show --all --command replace_catalog --output table",
    "dead-letters retry replace_facts/17-1704164645678_facts_5_web-01.json",
    "dead-letters delete --all --yes",
  ],
  run: async ({ args }) => {
    const action = actions.find((known) => known === args.action);
    if (action === undefined) {
      const text = `ACTION must be one of ${actions.join(", ")}, not ${JSON.stringify(args.action)}`;
      throw new UsageError(`dead-letters: ${text}`);
    }
    const { dataDirectoryOf } = await import("../configured.ts");
    const chosen = await dataDirectoryOf(args);
    const directory = chosen.value;
    const office = await openOffice(chosen);
    const wanted: Wanted = { names: args._.slice(1), all: args.all === true, command: args.command };
    const output: "table" | "json" | undefined = args.output;
    const format = output ?? (process.stdout.isTTY ? "table" : "json");
    if (action === "list") return list(office, wanted, format);
    const { selectLetters } = await import("../dead-letters/selection.ts");
    const letters = selectLetters(await office.list(), wanted);
    if (action === "show") return show(office, letters, format);
    (await import("../owner.ts")).actAsOwner(directory);
    if (action === "retry") return retry(office, letters, directory);
    return remove(office, letters, args.yes === true);
  },
});

/** Works on files alone, whether a service runs on the directory or not. */
async function openOffice({ value: directory, from }: Chosen): Promise<DeadLetters> {
  const [{ DeadLetters }, { queueFolder }] = await Promise.all([
    import("#storage/queue/dead-letters.ts"),
    import("#storage/queue/folder.ts"),
  ]);
  const queue = join(directory, queueFolder);
  if (!existsSync(queue))
    throw new CensusError(
      "bad-file",
      `${directory}: not a data directory of a server${placeText("data directory", from)}`,
    );
  return new DeadLetters(queue);
}

async function list(office: DeadLetters, { names, command }: Wanted, format: "table" | "json"): Promise<void> {
  if (names.length > 0) throw new UsageError("dead-letters: list takes no names; use show");
  const [{ ofCommand }, { listed }, { writers }] = await Promise.all([
    import("../dead-letters/selection.ts"),
    import("../dead-letters/letter-text.ts"),
    import("../output/writers.ts"),
  ]);
  const letters = ofCommand(await office.list(), command);
  await writers[format](batched(letters.map((letter) => JSON.stringify(listed(letter)))), stdout);
}

async function show(office: DeadLetters, letters: readonly DeadLetter[], format: "table" | "json"): Promise<void> {
  const [{ letterJson, letterText }, { writers }] = await Promise.all([
    import("../dead-letters/letter-text.ts"),
    import("../output/writers.ts"),
  ]);
  const opened = async function* <T>(as: (letter: DeadLetter & Awaited<ReturnType<DeadLetters["read"]>>) => T) {
    for (const letter of letters) yield as({ ...letter, ...(await office.read(letter.name)) });
  };
  if (format === "json")
    return writers.json(
      opened((letter) => [letterJson(letter)]),
      stdout,
    );
  for await (const text of opened(letterText)) await stdout.write(`${text}\n`);
}

async function retry(office: DeadLetters, letters: readonly DeadLetter[], directory: string): Promise<void> {
  for (const { name } of letters) await office.retry(name);
  const next = `a server running on ${directory} retries within seconds, otherwise after its next start`;
  await stdout.write(`Queued ${commandsText(letters)} for retry: ${next}\n`);
}

async function remove(office: DeadLetters, letters: readonly DeadLetter[], isSure: boolean): Promise<number> {
  const message = `Delete ${commandsText(letters)}? This cannot be undone.`;
  if (letters.length > 0 && !isSure && !(await isConfirmed("dead-letters: delete", message))) return 1;
  for (const { name } of letters) await office.delete(name);
  await stdout.write(`Deleted ${commandsText(letters)}\n`);
  return 0;
}

function commandsText({ length }: readonly DeadLetter[]): string {
  return counted(length, "command");
}

async function* batched(rows: readonly string[]): AsyncGenerator<readonly string[]> {
  yield rows;
}
