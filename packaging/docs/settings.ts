import { ignoredSections } from "#app/settings/sections/elsewhere.ts";
import { defaultText, type Section } from "#app/settings/setting.ts";
import { type Declared, declared, sections } from "#app/settings/table.ts";
import { paragraph, type Parts } from "./parts.ts";

/** The kinds of values, the settings by section, and the sections that are ignored. */
export function settingParts(): Parts {
  return {
    kinds: [
      "| kind | value |",
      "| --- | --- |",
      ...kindsOf().map(([name, expects]) => `| ${name} | ${expects} |`),
    ].join("\n"),
    settings: Object.entries<Section>(sections)
      .map(([name, section]) => sectionOf(name, section).join("\n"))
      .join("\n\n"),
    ignored: [
      "| section | why |",
      "| --- | --- |",
      ...Object.entries(ignoredSections).map(([name, reason]) => `| ${name} | ${reason} |`),
    ].join("\n"),
  };
}

/** The expectation of each kind, as in error messages. Settings with a choice of words list them. */
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
    `## [${name}]`,
    "",
    paragraph(about),
    "",
    "| setting | kind | default | meaning | option | variable |",
    "| --- | --- | --- | --- | --- | --- |",
    ...own.map(row),
    ...Object.entries(settings).flatMap(([current, { aliases }]) =>
      aliases.map((alias) => `\n\`${alias}\` is an older name of \`${current}\`.`),
    ),
    ...(reasons.length === 0 ? [] : ["", "Ignored:", "", ...ignoredRows(reasons)]),
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
  return [...names].map(([reason, settings]) =>
    paragraph(`- ${settings.map(([setting]) => `\`${setting}\``).join(", ")}: ${reason}`, "  "),
  );
}
