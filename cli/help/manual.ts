import { version } from "#app/version.ts";
import type { Command } from "../command.ts";
import { groupedOptions } from "../option-groups.ts";
import { topics } from "../topics/topics.ts";
import { optionsOf, optionTerms, ownOptions, positionalsOf, positionalTerm, synopsis } from "./command-page.ts";
import { type Block, code, terms, text } from "./page.ts";

/** The description after the name in the manual page. */
const NAME = "node configuration inventory that speaks PuppetDB's interface";

/** The manual page census(1) as roff with the man macros, generated from the texts of `--help` and `help`. */
export function manualPage(commands: readonly Command[]): string {
  return [
    `.TH CENSUS 1 "" ${quoted(`census ${version}`)} "User Commands"`,
    ".SH NAME",
    `census \\- ${escaped(NAME)}`,
    ".SH SYNOPSIS",
    ...commands.flatMap((command) => [".br", `.B census ${escaped(synopsis(command))}`]).slice(1),
    ".SH DESCRIPTION",
    ...blocks([
      text(
        "Census stores the facts, catalogs and reports of a fleet of nodes and answers queries about them in PQL and AST, over HTTP with PuppetDB's interface and on the command line.",
      ),
      terms(...ownOptions),
    ]),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ...topics.flatMap(({ name, page }) => [
      `.SH ${quoted(name.replaceAll("-", " ").toUpperCase())}`,
      ...blocks([text(`${page.summary}.`)]),
      ...page.sections.flatMap(({ title, blocks: parts }) => [`.SS ${quoted(title)}`, ...blocks(parts)]),
    ]),
    ".SH FILES",
    ...blocks([
      terms(
        ["/etc/census/conf.d", "Configuration of the installed service."],
        ["/usr/share/doc/census", "Documentation, as installed by the package; release archives have it in docs/."],
      ),
    ]),
    ".SH SEE ALSO",
    ".BR puppet (8)",
    "",
  ].join("\n");
}

function commandSection(command: Command): string[] {
  const positionals = positionalsOf(command).map(positionalTerm);
  const options = groupedOptions(optionsOf(command)).flatMap((group) => group.options);
  return [
    `.SS ${quoted(`census ${synopsis(command)}`)}`,
    ...blocks([
      text(`${command.description}.`),
      terms(...positionals, ...options.flatMap(optionTerms)),
      code(...command.examples.map((line) => `census ${line}`)),
    ]),
  ];
}

function blocks(parts: readonly Block[]): string[] {
  return parts.flatMap((block, index) => {
    if (block.kind === "terms") return block.terms.flatMap(([term, meaning]) => [".TP", bold(term), line(meaning)]);
    const paragraph = index === 0 ? [] : [".PP"];
    if (block.kind === "text") return [...paragraph, line(block.text)];
    return [...paragraph, ".RS 4", ".nf", ...block.lines.map(line), ".fi", ".RE"];
  });
}

function bold(term: string): string {
  return `.B ${quoted(term)}`;
}

/** A text as an argument of a macro. */
function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "\\(dq")}"`;
}

/** A text as a line of its own, escaped so that its beginning is not read as a macro. */
function line(text: string): string {
  const roff = escaped(text);
  return /^[.']/.test(roff) ? `\\&${roff}` : roff;
}

/** Characters that roff takes for something else: a hyphen is to be copied as one, other alphabets by their number. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll("`", "\\(ga")
    .replaceAll("'", "\\(aq")
    .replaceAll("…", "...")
    .replaceAll(/[^\x20-\x7e]/gu, (character) => `\\[u${hex(character)}]`);
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
