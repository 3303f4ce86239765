/**
 * `docs/anonymization.md`, made of the profiles that archives are anonymized by: `npm run docs` writes it, and a test
 * fails when it no longer says what the code does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Kind, type KindDeclaration, kinds } from "#storage/anonymize/kinds.ts";
import { ANYTHING } from "#storage/anonymize/known-words.ts";
import { type ProfileName, profileNames, profiles } from "#storage/anonymize/profiles.ts";
import type { Policy, Test } from "#storage/anonymize/rules.ts";

/** Where the page lies. */
export const anonymizationDocs: string = join(import.meta.dirname, "../docs/anonymization.md");

const introduction = `# Anonymizing

Made by \`npm run docs\` from the declarations in \`storage/anonymize/\`.

An export says all there is to know about a site. Before it is given to somebody, names and values can be replaced, more
or fewer of them by profile:

\`\`\`console
$ census anonymize export.tgz --preview 1 --profile moderate    # look first: every value beside what takes its place
$ census anonymize export.tgz anonymous.tgz --profile moderate  # write a new archive; the old one stays as it is
$ census import export.tgz --anonymize low --data test          # or store nothing but replacements
\`\`\`

The result is an archive like any other: it can be opened, queried, compared and imported, and everything is there as
often as before. What belonged together still does: the same name is replaced by the same word wherever it stands, so that
edges and events lead to their resources, reports to their catalogs, and facts, reports and catalogs to their node.

| profile | what it is for |
| --- | --- |
| \`full\` | nothing that could be read: for people one does not know. The default of \`census anonymize\` |
| \`moderate\` | what many sites have in common stays, what is the site's own goes: for people who help |
| \`low\` | nodes' names, values of parameters, messages and secrets go, the rest stays: among colleagues |
| \`none\` | nothing changes |

## What is hidden
`;

const guarantees = `
## What holds for every profile but none

- **Names of nodes go from all that is kept**: from titles (\`ping@web-01.example.com\`), paths, tags, names and values of
  facts, in the documents of every node. So do short names as long as they are no ordinary word: \`web-01\`, but not \`puppet\`,
  which goes only from facts that say what a node is called (\`hostname\`). The first part of a replacement is that of
  the short name. A host that has no document and compiles for none is not known to be a node.
- **A secret is a secret with all that is in it**, whatever the names inside. Upper and lower case make no difference.
- **Nothing stays of what is unexpected**: keys that the wire format does not have are left out, values of a type that it
  does not allow are replaced.
- Documents of old versions come out in the newest one.
- What is null stays null. Lists and objects keep their lengths and their nesting, integers stay integers, and numbers with
  a fraction keep one. A number is replaced by a smaller one that is not negative; different numbers may become the same.

## What no profile hides

Times, states (\`changed\`, \`failure\`), levels of log lines, relationships, flags, the agent's version, what reports count
and how long runs took, how many there are of each thing, and about how long texts are: a text of ten characters or more is
replaced by one of its length. \`moderate\` and \`low\` keep more, as the table says; *low keeps facts, and with them
addresses*. Short names that are ordinary words can stay in titles. Where it matters, look at the preview, and search the
result for what must not be in it:

\`\`\`console
$ tar -xzOf anonymous.tgz | grep -i example.com
\`\`\`

## The salt

Replacements are computed from what they replace and 32 random bytes (HMAC-SHA-256), which are thrown away. So nobody can
undo them or try names out, and the next run makes others. To have two archives go together, such as those of two servers
or of two days, give both the same file, and keep it to yourself: who has it can find out what a name was by trying.

\`\`\`console
$ openssl rand 32 > salt
$ census anonymize monday.tgz monday-anonymous.tgz --salt-file salt
$ census anonymize tuesday.tgz tuesday-anonymous.tgz --salt-file salt
$ census diff monday-anonymous.tgz tuesday-anonymous.tgz
\`\`\`

## The preview

\`--preview N\` takes the first N nodes and of each a document of every kind, and writes a row for every value: where it
is, what it is, what it becomes, and where that is if names change too. Of long lists it shows the first, the middle and
the last element. \`--output csv\` and the like make it a file. Without \`--salt-file\` the archive that is written
afterwards has other replacements, of the same kinds.
`;

export function renderAnonymizationDocs(): string {
  const shown = profileNames.filter((name) => name !== "none");
  return [
    introduction,
    `| what | becomes | ${shown.map((name) => `\`${name}\``).join(" | ")} |`,
    `| --- | --- | ${shown.map(() => "---").join(" | ")} |`,
    ...Object.entries(kinds).map(([kind, { what, becomes }]) => {
      const cells = shown.map((name) => summary(profiles[name][kind as Kind]));
      return `| ${what} | ${becomes} | ${cells.join(" | ")} |`;
    }),
    "",
    "What depends, depends on rules, of which the first that holds decides; where none does, it is hidden. Words stand for",
    "themselves, patterns between slashes are searched.",
    ...shown.flatMap((name) => rulesOf(name)),
    guarantees,
  ].join("\n");
}

function summary(policy: Policy): string {
  if (policy === "hide") return "hidden";
  return policy === "keep" ? "kept" : "depends";
}

function rulesOf(name: ProfileName): string[] {
  return Object.entries(profiles[name] as Readonly<Record<Kind, Policy>>).flatMap(([kind, policy]) => {
    if (typeof policy === "string") return [];
    const { what, looksAt }: KindDeclaration = kinds[kind as Kind];
    const lines = policy.map((rule) => {
      const [verb, tests] = "keep" in rule ? ["kept", rule.keep] : ["hidden", rule.hide];
      return `- ${verb}, where the ${looksAt ?? ""} is ${tests.map(testText).join(" ")}`;
    });
    return ["", `\`${name}\`, ${what.replace(/ \(.*/, "")}:`, "", ...lines];
  });
}

function testText(test: Test): string {
  if (test === ANYTHING) return "anything else";
  return `\`${typeof test === "string" ? test : String(test)}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(anonymizationDocs, renderAnonymizationDocs());
}
