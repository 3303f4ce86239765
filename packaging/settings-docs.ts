/**
 * `docs/settings.md`, made of the table that settings are read by: `npm run docs` writes it, and a test fails when it no
 * longer says what the code does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ignoredSections } from "#app/settings/sections/elsewhere.ts";
import { defaultText, type Section } from "#app/settings/setting.ts";
import { type Declared, declared, sections } from "#app/settings/table.ts";

/** Where the page lies. */
export const settingsDocs: string = join(import.meta.dirname, "../docs/settings.md");

const introduction = `# Settings

Made by \`npm run docs\` from the table in \`app/settings/\`. \`census config\` prints what holds and where each value comes
from; \`census config --check\` opens what a configuration names, and says what of the peer's in it means nothing here, and
ends with exit code 1 where something is wrong, 2 where a setting cannot be understood. It takes \`--config\` and the options of \`census serve\`.

## Where settings come from

The later holds:

1. the defaults;
2. the configuration that \`--config\` names, else \`CENSUS_CONFIG\`: a file, or a folder whose \`*.ini\`, \`*.conf\` and
   \`*.json\` are read in the order of their names. Files of PuppetDB (\`conf.d\`) are read as they are;
3. environment variables; an empty one sets nothing;
4. options of the command line. A boolean one is switched off by \`--no-\` before its name.

A setting that stands twice in files is an error, as it is with PuppetDB, and so are a setting that does not exist and a
value that is none; all are reported together, each with its file and line, its variable or its option. What PuppetDB
knows and Census has no use for is passed over and listed by \`census config\`.

Relative paths start from the folder of the file that they stand in; in variables and options, from the working directory.

**ini**: \`[section]\` and \`name = value\` (or \`name: value\`). A comment has a line of its own, which starts with \`#\` or
\`;\`. Quotes are part of a value. A backslash escapes, so one in a value is written twice; at the end of a line it
continues the line.

**conf** is HOCON, **json** a part of it: objects, lists, dotted names, quoted and bare texts, comments. \`include\`,
\`\${…}\` and \`+=\` are not read; a file with one is refused. YAML, EDN and properties files are refused as well.

[memory.md](memory.md) says how much memory is needed for which load, and what is done where there is less.

## Kinds of values
`;

export function renderSettingsDocs(): string {
  return [
    introduction,
    "| kind | what is written |",
    "| --- | --- |",
    ...kindsOf().map(([name, expects]) => `| ${name} | ${expects} |`),
    ...Object.entries<Section>(sections).flatMap(([name, section]) => sectionOf(name, section)),
    "",
    "## Sections without meaning here",
    "",
    "| section | why |",
    "| --- | --- |",
    ...Object.entries(ignoredSections).map(([name, reason]) => `| ${name} | ${reason} |`),
    "",
  ].join("\n");
}

/** What is said of each kind in errors; of words and numbers, each setting says its own. */
function kindsOf(): [string, string][] {
  const kinds = new Map<string, string>();
  for (const { setting } of declared) {
    const { name, expects } = setting.kind;
    if (name !== "word" && !kinds.has(name)) kinds.set(name, expects);
  }
  return [...kinds];
}

function sectionOf(name: string, { about, settings, ignored }: Section): string[] {
  const own = declared.filter(({ section }) => section === name);
  const reasons = Object.entries(ignored);
  return [
    "",
    `## [${name}]`,
    "",
    about,
    "",
    "| setting | kind | default | what it is for | option | variable |",
    "| --- | --- | --- | --- | --- | --- |",
    ...own.map(row),
    ...Object.entries(settings).flatMap(([current, { aliases }]) =>
      aliases.map((alias) => `\n\`${alias}\` is an older name of \`${current}\`.`),
    ),
    ...(reasons.length === 0 ? [] : ["", "Passed over:", "", ...ignoredRows(reasons)]),
  ];
}

function row({ name, flag, variable, setting }: Declared): string {
  const { kind, help } = setting;
  const written = kind.name === "word" ? kind.words?.join(", ") : kind.name;
  const cells = [`\`${name}\``, written, defaultText(setting), help, `\`--${flag}\``, `\`${variable}\``];
  return `| ${cells.join(" | ")} |`;
}

/** A line per reason. */
function ignoredRows(reasons: readonly [string, string][]): string[] {
  const names = Map.groupBy(reasons, ([, reason]) => reason);
  return [...names].map(
    ([reason, settings]) => `- ${settings.map(([setting]) => `\`${setting}\``).join(", ")}: ${reason}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(settingsDocs, renderSettingsDocs());
}
