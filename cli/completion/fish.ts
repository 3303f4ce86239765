import type { CompletedCommand, CompletedOption, CompletionModel, Value } from "./model.ts";
import { fishQuoted } from "./quoting.ts";

/** A script for fish, 3.0 and newer. */
export function fishScript({ commands, options }: CompletionModel): string {
  return `# fish completion for census, made by: census completion fish

function __census_starts
  test (count (commandline -opc)) -eq 1
end

function __census_is
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end

# Whether none of these words stands there yet.
function __census_lacks
  set -l words (commandline -opc)
  for word in $argv
    contains -- $word $words[3..-1]; and return 1
  end
  return 0
end

complete -c census -f
${options.flatMap((option) => optionLine("__census_starts", option)).join("\n")}
${commands.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ name, description, options, positionals }: CompletedCommand): string[] {
  const is = `__census_is ${name}`;
  return [
    `complete -c census -n __census_starts -a ${name} -d ${fishQuoted(description)}`,
    ...options.map((option) => optionLine(is, option)),
    ...positionals.flatMap((value) => positionalLine(is, value)),
  ];
}

function optionLine(condition: string, { names, description, value }: CompletedOption): string {
  const spelled = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const taken = value === undefined ? "" : ` ${valueWords(value)}`;
  return `complete -c census -n ${fishQuoted(condition)} ${spelled.join(" ")}${taken} -d ${fishQuoted(description)}`;
}

function positionalLine(is: string, value: Value): string[] {
  switch (value.kind) {
    case "words": {
      const words = value.words.join(" ");
      return [`complete -c census -n ${fishQuoted(`${is}; and __census_lacks ${words}`)} -a ${fishQuoted(words)}`];
    }
    case "files":
    case "folders":
      return [`complete -c census -n ${fishQuoted(is)} -F`];
    case "any":
      return [];
  }
}

function valueWords(value: Value): string {
  switch (value.kind) {
    case "words":
      return `-x -a ${fishQuoted(value.words.join(" "))}`;
    case "files":
      return "-r -F";
    case "folders":
      return `-x -a '(__fish_complete_directories (commandline -ct))'`;
    case "any":
      return "-x";
  }
}
