import type { CompletedCommand, CompletedOption, CompletionModel, Value } from "./model.ts";
import { shellQuoted } from "./quoting.ts";

/** A script for bash, 3.2 and newer; needs nothing besides bash. */
export function bashScript({ commands, options }: CompletionModel): string {
  const first = [...commands.map(({ name }) => name), ...options.flatMap(({ names }) => names)];
  return `# bash completion for census, made by: census completion bash

_census_reply() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}

_census_value() {
  case $1 in
    files) compopt -o filenames 2> /dev/null; _census_reply -f -- "$2" ;;
    folders) compopt -o filenames 2> /dev/null; _census_reply -d -- "$2" ;;
    any) COMPREPLY=() ;;
    *) _census_reply -W "$1" -- "$2" ;;
  esac
}

_census() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} options='' repeats='' places=() place=0 index value=''
  COMPREPLY=()
  # --option=value comes as three words.
  if [ "$cur" = '=' ]; then cur=''; elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    _census_reply -W ${shellQuoted(first.join(" "))} -- "$cur"
    return
  fi
  case $command in
${commands.map(commandCase).join("\n")}
    *) return ;;
  esac
  value=$("_census_value_of" "$command" "$prev")
  if [ -n "$value" ]; then
    _census_value "$value" "$cur"
    return
  fi
  if [ "\${cur:0:1}" = '-' ]; then
    _census_reply -W "$options" -- "$cur"
    return
  fi
  index=2
  while [ "$index" -lt "$COMP_CWORD" ]; do
    case \${COMP_WORDS[index]} in
      =) index=$((index + 1)) ;;
      -*) [ -n "$(_census_value_of "$command" "\${COMP_WORDS[index]}")" ] && [ "\${COMP_WORDS[index + 1]}" != '=' ] &&
        index=$((index + 1)) ;;
      *) place=$((place + 1)) ;;
    esac
    index=$((index + 1))
  done
  if [ "$place" -ge "\${#places[@]}" ]; then
    [ -n "$repeats" ] || return
    place=$((\${#places[@]} - 1))
  fi
  _census_value "\${places[place]}" "$cur"
}

# What stands behind an option of a command; nothing where it takes none.
_census_value_of() {
  case "$1 $2" in
${commands.flatMap(valueCases).join("\n")}
  esac
}

complete -F _census census
`;
}

function commandCase({ name, options, positionals, repeats }: CompletedCommand): string {
  const words = options.flatMap(({ names }) => names).join(" ");
  const places = positionals.map((value) => shellQuoted(valueText(value))).join(" ");
  return `    ${name}) options=${shellQuoted(words)} places=(${places}) repeats=${repeats ? "yes" : "''"} ;;`;
}

function valueCases({ name, options }: CompletedCommand): string[] {
  const taking = options.filter((option): option is CompletedOption & { value: Value } => option.value !== undefined);
  const byValue = Map.groupBy(taking, ({ value }) => valueText(value));
  return [...byValue].map(([value, same]) => {
    const patterns = same.flatMap(({ names }) => names).map((option) => shellQuoted(`${name} ${option}`));
    return `    ${patterns.join(" | ")}) echo ${shellQuoted(value)} ;;`;
  });
}

function valueText(value: Value): string {
  return value.kind === "words" ? value.words.join(" ") : value.kind;
}
