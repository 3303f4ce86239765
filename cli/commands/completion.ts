import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";

/** The shells that can complete our command lines. */
const shells = ["bash", "zsh", "fish"] as const;

export const completion = declareCommand({
  name: "completion",
  description: "Print a completion script for a shell",
  args: {
    shell: choiceArgument(shells, "Shell"),
  },
  examples: [
    "completion bash > /etc/bash_completion.d/census",
    "completion zsh > ~/.zfunc/_census",
    "completion fish > ~/.config/fish/completions/census.fish",
  ],
  run: async ({ args, commands }) => {
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
    await stdout.write(scripts[args.shell as (typeof shells)[number]](model));
  },
});
