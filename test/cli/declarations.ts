import type { ArgDef } from "citty";
import type { Command } from "#cli/command.ts";
import { commandList } from "#cli/commands.ts";

/** All commands, once. */
export const commands: readonly Command[] = await commandList.loadAll();

/** An option where it is declared. */
export interface DeclaredOption {
  readonly command: string;
  readonly name: string;
  readonly declaration: ArgDef;
}

/** Every option of every command. */
export const options: readonly DeclaredOption[] = commands.flatMap(({ name: command, args }) =>
  Object.entries(args)
    .filter(([, { type }]) => type !== "positional")
    .map(([name, declaration]) => ({ command, name, declaration })),
);
