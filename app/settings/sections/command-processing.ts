import { defaultCommandSettings } from "../../commands/settings.ts";
import { bytes, count, truth } from "../kinds/simple.ts";
import { because, optional, type Section, setting } from "../setting.ts";

/** `[command-processing]` (`reference/config.md §5`, `reference/commands.md §1.2`). */
export const commandProcessing = {
  about: "How commands are taken in.",
  settings: {
    threads: optional({
      kind: count(1),
      unset: "as many as pay on this machine",
      help: "Threads that parse and check commands; one more writes",
    }),
    "max-command-size": setting({
      kind: bytes,
      default: defaultCommandSettings.maxCommandSize,
      help: "Size above which commands are refused when reject-large-commands is on",
    }),
    "reject-large-commands": setting({
      kind: truth,
      default: defaultCommandSettings.rejectLargeCommands,
      help: "Whether commands larger than max-command-size are refused with a 413",
    }),
  },
  ignored: {
    "concurrent-writes": "commands that wait at the same time are written together",
    ...because("retired by PuppetDB as well", "max-frame-size", "memory-usage", "store-usage", "temp-usage"),
  },
} as const satisfies Section;
