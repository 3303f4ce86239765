import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";

/** The shells that can complete our command lines. */
const shells = ["bash", "zsh", "fish"] as const;

export const completion = declareCommand({
  name: "completion",
  description: "Print a completion script for a shell",
  args: {
    shell: { type: "positional", required: true, valueHint: shells.join("|"), description: "Shell" },
  },
  examples: [
    "completion bash > /etc/bash_completion.d/census",
    "completion zsh > ~/.zfunc/_census",
    "completion fish > ~/.config/fish/completions/census.fish",
  ],
  run: async ({ args, commands }) => {
    const shell = shells.find((known) => known === args.shell);
    if (shell === undefined) {
      const text = `SHELL must be one of ${shells.join(", ")}, not ${JSON.stringify(args.shell)}`;
      throw new UsageError(`completion: ${text}`);
    }
    const [{ completionModel }, { scripts }, { topics }, { stdout }] = await Promise.all([
      import("../completion/model.ts"),
      import("../completion/scripts.ts"),
      import("../topics/topics.ts"),
      import("../stdout.ts"),
    ]);
    const model = completionModel(
      await commands.loadAll(),
      topics.map(({ name }) => name),
    );
    await stdout.write(scripts[shell](model));
  },
});
