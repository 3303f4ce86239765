import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { CompletionModel } from "./model.ts";
import { zshScript } from "./zsh.ts";

/** What writes the script of each shell. */
export const scripts: Readonly<Record<"bash" | "zsh" | "fish", (model: CompletionModel) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
