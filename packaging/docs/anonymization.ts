import { type Kind, type KindDeclaration, kinds } from "#storage/anonymize/kinds.ts";
import { ANYTHING } from "#storage/anonymize/known-words.ts";
import { type ProfileName, profileNames, profiles } from "#storage/anonymize/profiles.ts";
import type { Policy, Test } from "#storage/anonymize/rules.ts";
import { paragraph, type Parts } from "./parts.ts";

/** What each profile replaces, and the rules. */
export function anonymizationParts(): Parts {
  const shown = profileNames.filter((name) => name !== "none");
  const rows = Object.entries(kinds).map(([kind, { what, becomes }]) => {
    const cells = shown.map((name) => summary(profiles[name][kind as Kind]));
    return `| ${what} | ${becomes} | ${cells.join(" | ")} |`;
  });
  return {
    profiles: [
      `| value | replacement | ${shown.map((name) => `\`${name}\``).join(" | ")} |`,
      `| --- | --- | ${shown.map(() => "---").join(" | ")} |`,
      ...rows,
    ].join("\n"),
    rules: shown.map(rulesOf).join("\n\n"),
  };
}

function summary(policy: Policy): string {
  if (policy === "hide") return "replaced";
  return policy === "keep" ? "kept" : "by rule";
}

function rulesOf(name: ProfileName): string {
  const parts = Object.entries(profiles[name] as Readonly<Record<Kind, Policy>>).flatMap(([kind, policy]) => {
    if (typeof policy === "string") return [];
    const { what, looksAt }: KindDeclaration = kinds[kind as Kind];
    const lines = policy.map((rule) => {
      const [verb, tests] = "keep" in rule ? ["kept", rule.keep] : ["replaced", rule.hide];
      return paragraph(`- ${verb} if the ${looksAt ?? ""} is ${tests.map(testText).join(" ")}`, "  ");
    });
    return [`\`${name}\`, ${what.replace(/ \(.*/, "")}:\n\n${lines.join("\n")}`];
  });
  return parts.join("\n\n");
}

function testText(test: Test): string {
  if (test === ANYTHING) return "anything else";
  return `\`${typeof test === "string" ? test : String(test)}\``;
}
