import { CensusError } from "#storage/errors.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import type { Timestamp } from "#storage/time.ts";
import { compareBytewise } from "#storage/bytewise.ts";
import { checkNames } from "../names/check.ts";
import { readLimit } from "../sources/paging.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { changeRow } from "./change-row.ts";
import { betweenMoments, type Moments } from "./between.ts";
import type { ShortFormArguments } from "./options.ts";
import { readPath } from "#storage/query/pql/path-text.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { equal, pqlText } from "./pql.ts";
import { readResourceName, resourceConditions } from "./resource-name.ts";
import type { ShortForm } from "./run.ts";

/** What `census log` takes. */
export interface LogArguments extends Omit<ShortFormArguments, "pql">, Moments {
  /** A certname, a fact or a part of one, a package, or a resource. */
  readonly of: string;
  readonly certname?: string | undefined;
}

const fields = ["from", "certname", "what", "before", "after", "transaction"];

/** Which changes of each entity are of a name. */
type Selected = readonly (readonly [entity: string, conditions: readonly (string | undefined)[]])[];

function selectedBy(text: string): Selected {
  const resource = /^[^[\]]+\[.*\]$/s.test(text) ? readResourceName(text) : undefined;
  if (resource !== undefined) return [["resource_changes", resourceConditions(resource)]];
  const name = pqlString(text);
  // A change has the path of a part with dots between its parts, whatever they contain.
  const path = pqlString(readPath(text)?.join(".") ?? text);
  return [
    // The first is read alone, the others at the same time: this one is the shortest.
    ["package_changes", [`(certname = ${name} or what = ${name})`]],
    ["resource_changes", [equal("certname", text)]],
    ["fact_changes", [`(certname = ${name} or what = ${path} or name = ${path})`]],
    // Edges follow from resources, and each changed catalog has another hash.
    ["catalog_changes", [equal("certname", text), 'what != "edge"', '(what != "catalog" or before is null)']],
  ];
}

/** Recorded changes of a node, a fact, a package or a resource, the newest first. */
export function logForm(args: LogArguments): ShortForm {
  const between = betweenMoments("from", args);
  const queriesOf = (text: string, now: Timestamp): string[] =>
    selectedBy(text).map(([entity, conditions]) =>
      pqlText({ entity, fields, conditions: [...conditions, equal("certname", args.certname), ...between(now)] }),
    );
  let others: readonly string[] = [];
  let time = 0n;
  return {
    name: "log",
    query: (now) => {
      const [first = "", ...rest] = queriesOf(args.of, now);
      others = rest;
      time = now;
      return first;
    },
    fold: {
      limit: readLimit(args.limit),
      rows: async (rows, readRows) => {
        const found = [...rows, ...(await readAll(others, readRows))];
        if (found.length > 0) return newestFirst(found);
        const fullName = await checkKnown(args.of, readRows);
        await checkRecorded(readRows);
        return fullName === undefined ? [] : newestFirst(await readAll(queriesOf(fullName, time), readRows));
      },
    },
  };
}

/**
 * No changes is an answer only of a source that would know of them.
 * @throws CensusError "not-found" when no change of anything is recorded
 */
export async function checkRecorded(readRows: ReadRows): Promise<void> {
  for (const entity of ["fact_changes", "resource_changes", "package_changes", "catalog_changes"]) {
    if ((await readRows(`${entity}[certname] { limit 1 }`)).length > 0) return;
  }
  throw new CensusError(
    "not-found",
    "log: no changes are recorded here: an archive has them if it was exported with its history, a server unless history-ttl is 0s",
  );
}

/** The rows of several queries, which are run at the same time. */
export async function readAll(queries: readonly string[], readRows: ReadRows): Promise<JsonObject[]> {
  return (await Promise.all(queries.map(readRows))).flat();
}

/**
 * Finds out why there are no changes.
 * @returns the certname that a short name is for
 * @throws UsageError when there is nothing of that name
 */
async function checkKnown(text: string, readRows: ReadRows): Promise<string | undefined> {
  const [entity, conditions] = selectedBy(text)[0] ?? [];
  const name = pqlString(text);
  const known =
    entity === "resource_changes"
      ? [`resources[certname] { ${conditions?.filter((each) => each !== undefined).join(" and ")} limit 1 }`]
      : [
          `fact_paths[name] { name = ${name} or name = ${pqlString(readPath(text)?.[0] ?? text)} limit 1 }`,
          `packages[package_name] { package_name = ${name} limit 1 }`,
        ];
  if ((await readAll(known, readRows)).length > 0) return undefined;
  const resource = readResourceName(text);
  const used =
    entity === "resource_changes" && resource !== undefined
      ? ({ kind: "resource", ...resource } as const)
      : ({ kind: "certname", text } as const);
  const { fullName, remarks } = await checkNames("log: ", [used], readRows);
  for (const line of remarks) process.stderr.write(`${line}\n`);
  return fullName;
}

function newestFirst(rows: readonly JsonObject[]): JsonObject[] {
  return rows
    .map(changeRow)
    .sort(
      (one, other) =>
        compareBytewise(cellText(other["from"]), cellText(one["from"])) ||
        compareBytewise(cellText(one["certname"]), cellText(other["certname"])) ||
        compareBytewise(cellText(one["what"]), cellText(other["what"])),
    );
}
