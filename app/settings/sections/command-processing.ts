import { defaultCommandSettings } from "../../commands/settings.ts";
import { bytes, count, truth } from "../kinds/simple.ts";
import { because, optional, type Section, setting } from "../setting.ts";

/** `[command-processing]` (`reference/config.md §5`, `reference/commands.md §1.2`). */
export const commandProcessing = {
  about: "How commands are accepted and processed.",
  settings: {
    threads: optional({
      kind: count(1),
      unset: "chosen for this machine",
      help: "Threads that parse and check commands; one more thread writes",
    }),
    "max-command-size": setting({
      kind: bytes,
      default: defaultCommandSettings.maxCommandSize,
      help: "Maximum size of a command if reject-large-commands is on",
    }),
    "reject-large-commands": setting({
      kind: truth,
      default: defaultCommandSettings.rejectLargeCommands,
      help: "Reject commands larger than max-command-size with 413",
    }),
  },
  ignored: {
    "concurrent-writes": "Census writes waiting commands together",
    ...because("removed from PuppetDB too", "max-frame-size", "memory-usage", "store-usage", "temp-usage"),
  },
} as const satisfies Section;
