import { existsSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { DeadLetter, DeadLetters } from "#storage/queue/dead-letters.ts";
import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import type { Chosen } from "../configured.ts";
import type { Wanted } from "../dead-letters/selection.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { counted } from "../output/counted.ts";
import { formatOf, printRows } from "../output/print.ts";
import { rowsOf } from "../output/rows.ts";
import { dataDirectoryOptions, placeText } from "../service-config.ts";
import { stdout } from "../stdout.ts";

/** The actions. */
const actions = ["list", "show", "retry", "delete"] as const;

export const deadLetters = declareCommand({
  name: "dead-letters",
  description: "List, show, retry or delete commands that could not be stored",
  args: {
    action: choiceArgument(actions),
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
    const action = args.action as (typeof actions)[number];
    const { dataDirectoryOf } = await import("../configured.ts");
    const chosen = await dataDirectoryOf(args);
    const directory = chosen.value;
    const office = await openOffice(chosen);
    const wanted: Wanted = { names: args._.slice(1), all: args.all === true, command: args.command };
    if (action === "list") return list(office, wanted, args.output);
    const { selectLetters } = await import("../dead-letters/selection.ts");
    const letters = selectLetters(await office.list(), wanted);
    if (action === "show") return show(office, letters, formatOf(args.output));
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

type Format = "table" | "json";

async function list(office: DeadLetters, { names, command }: Wanted, output: Format | undefined): Promise<void> {
  if (names.length > 0) throw new UsageError("dead-letters: list takes no names; use show");
  const [{ ofCommand }, { listed }] = await Promise.all([
    import("../dead-letters/selection.ts"),
    import("../dead-letters/letter-text.ts"),
  ]);
  await printRows(rowsOf(ofCommand(await office.list(), command).map(listed)), output);
}

async function show(office: DeadLetters, letters: readonly DeadLetter[], format: Format): Promise<void> {
  const { letterJson, letterText } = await import("../dead-letters/letter-text.ts");
  const opened = async function* <T>(as: (letter: DeadLetter & Awaited<ReturnType<DeadLetters["read"]>>) => T) {
    for (const letter of letters) yield as({ ...letter, ...(await office.read(letter.name)) });
  };
  if (format === "json") {
    return printRows(
      opened((letter) => [letterJson(letter)]),
      format,
    );
  }
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
