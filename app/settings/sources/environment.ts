import { nearestWords } from "#storage/nearest-words.ts";
import type { FileContents, Given } from "./given.ts";
import { declared, sections, variableOf } from "../table.ts";

/** The variable that names the configuration if no option does. */
export const configVariable = "CENSUS_CONFIG";

/**
 * Variables of the program that are not settings: the clients' address, switches for finding defects, and the folder
 * that the packaged program unpacks the engine's library to.
 */
const others = new Set([configVariable, "CENSUS_URL", "CENSUS_ARCHIVE", "CENSUS_DEBUG", "CENSUS_NATIVE_DIR"]);

const prefixes = Object.keys(sections)
  .filter((section) => section !== "census")
  .map((section) => variableOf(section, ""));

/**
 * The settings among the environment's variables; an empty variable sets nothing. A variable that looks like a misspelt
 * setting is an error. Others that start with `CENSUS_` are ignored: container platforms set such names for a
 * service with the name census (`CENSUS_SERVICE_HOST`, `CENSUS_PORT_8080_TCP`).
 */
export function readEnvironment(env: NodeJS.ProcessEnv): FileContents {
  const given: Given[] = [];
  const problems: string[] = [];
  for (const [variable, raw = ""] of Object.entries(env)) {
    if (!variable.startsWith("CENSUS_") || others.has(variable) || raw === "") continue;
    const found = declared.find((one) => one.variable === variable);
    if (found === undefined) problems.push(...misspelt(variable));
    else given.push({ section: found.section, name: found.name, raw, place: { kind: "variable", name: variable } });
  }
  return { given, problems };
}

function misspelt(variable: string): string[] {
  const names = declared.map((one) => one.variable.slice("CENSUS_".length));
  const [near] = nearestWords(variable.slice("CENSUS_".length), names, 1);
  if (near !== undefined) return [`${variable}: unknown setting; did you mean CENSUS_${near}?`];
  return prefixes.some((prefix) => variable.startsWith(prefix))
    ? [`${variable}: unknown setting; docs/settings.md lists the variables`]
    : [];
}
