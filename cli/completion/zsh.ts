import type { CompletedCommand, CompletedOption, CompletionModel, Value } from "./model.ts";
import { shellQuoted } from "./quoting.ts";

/** A script for zsh: install it as `_census` in a directory of `fpath`, or source it after compinit. */
export function zshScript({ commands, options }: CompletionModel): string {
  return `#compdef census
# zsh completion for census, made by: census completion zsh

_census() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${shellQuoted(`${name.replaceAll(":", "\\:")}:${description}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then
      _arguments ${options.flatMap(optionSpecs).join(" ")}
    else
      _describe -t commands 'command' commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}

if [ "$funcstack[1]" = _census ]; then
  _census "$@"
else
  compdef _census census
fi
`;
}

function commandCase({ name, options, positionals, repeats }: CompletedCommand): string {
  const places = positionals.map((value, index) => {
    const place = repeats && index === positionals.length - 1 ? "*" : String(index + 1);
    // No message here: it would keep zsh from inserting the only matching option.
    return shellQuoted(`${place}: :${value.kind === "any" ? "{ : }" : action(value)}`);
  });
  const specs = [...options.flatMap(optionSpecs), ...places];
  return [
    `    ${name})`,
    `      _arguments -S \\`,
    specs.map((spec) => `        ${spec}`).join(" \\\n"),
    "      ;;",
  ].join("\n");
}

/** One per name; the names of an option cannot be used together. */
function optionSpecs({ names, description, value }: CompletedOption): string[] {
  const others = names.length > 1 ? `(${names.join(" ")})` : "";
  const explained = `[${description.replaceAll(/[\\[\]:]/g, "\\$&")}]`;
  return names.map((name) => {
    if (value === undefined) return shellQuoted(`${others}${name}${explained}`);
    return shellQuoted(`${others}${name}${name.startsWith("--") ? "=" : "+"}${explained}: :${action(value)}`);
  });
}

function action(value: Value): string {
  switch (value.kind) {
    case "words":
      return `(${value.words.join(" ")})`;
    case "files":
      return "_files";
    case "folders":
      return "_files -/";
    case "any":
      return " ";
  }
}
