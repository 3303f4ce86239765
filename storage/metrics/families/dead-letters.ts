import type { CommandName } from "../../wire/commands.ts";
import type { Registry } from "../registry.ts";

/** A dead letter; `size` in bytes. */
export interface Letter {
  readonly command: CommandName | "unknown";
  readonly size: number;
}

/**
 * Counts the dead letter office: how many commands, how many bytes, all and per command (`reference/metrics.md §5.4`).
 */
export class DeadLetterMetrics {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#count("global", 0, 0);
  }

  added({ command, size }: Letter): void {
    for (const category of ["global", command]) this.#count(category, 1, size);
  }

  removed({ command, size }: Letter): void {
    for (const category of ["global", command]) this.#count(category, -1, -size);
  }

  #count(category: string, messages: number, bytes: number): void {
    this.#registry.get("dlo", `${category}.messages`, "counter").add(messages);
    this.#registry.get("dlo", `${category}.filesize`, "counter").add(bytes);
  }
}
