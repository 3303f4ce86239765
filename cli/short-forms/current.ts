import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { usedName } from "../names/used-name.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { parametersOf } from "./change-row.ts";
import { declaredAt, readResource } from "./events.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, pqlText } from "./pql.ts";
import { resourceConditions } from "./resource-name.ts";
import type { ShortForm } from "./run.ts";

/** What `census log --current` takes. */
export interface CurrentArguments extends Omit<ShortFormArguments, "pql" | "limit"> {
  readonly certname: string;
  readonly resource: string;
}

/** Since when a resource of a node is as it is: a row for the resource, and one for each parameter. */
export function currentForm({ certname, resource: text, ...args }: CurrentArguments): ShortForm {
  const resource = readResource(text, "log: RESOURCE");
  const conditions = [equal("certname", certname), ...resourceConditions(resource)];
  return {
    name: "log",
    names: [...usedName("certname", certname), resource],
    withFullName: (name) => currentForm({ ...args, certname: name, resource: text }),
    query: () => pqlText({ entity: "resources", fields: ["type", "title", "file", "line", "parameters"], conditions }),
    fold: {
      rows: async (rows, readRows) => {
        if (rows.length === 0) return [];
        const changes = await readRows(
          pqlText({
            entity: "resource_changes",
            fields: ["type", "title", "before", "after", "from", "transaction"],
            conditions,
            order: ["order by from desc"],
          }),
        );
        const codeAt = await codeVersions(certname, readRows);
        return rows.flatMap((row) => {
          const own = changes.filter(({ type, title }) => type === row["type"] && title === row["title"]);
          return sinceWhen(row, own, codeAt);
        });
      },
    },
  };
}

type CodeAt = (time: Json) => Json;

function sinceWhen(row: JsonObject, changes: readonly JsonObject[], codeAt: CodeAt): JsonObject[] {
  const { type, title, file, line } = row;
  const lineOf = (what: string, value: Json, change: JsonObject | undefined): JsonObject => {
    const since = change?.["from"] ?? null;
    return { what, value, since, code_id: codeAt(since), transaction: change?.["transaction"] ?? null };
  };
  const added = changes.find(({ before }) => before === null);
  const parameters = Object.entries(parametersOf(row)).map(([name, value]) => {
    const change = changes.find(({ before, after }) => {
      return JSON.stringify(parametersOf(before)[name]) !== JSON.stringify(parametersOf(after)[name]);
    });
    return lineOf(name, value, change ?? added);
  });
  return [lineOf(`${cellText(type)}[${cellText(title)}]`, declaredAt(file, line), added), ...parameters];
}

/** The code version of a node's catalog at a time; null where the time or the version is not known. */
async function codeVersions(certname: string, readRows: ReadRows): Promise<CodeAt> {
  const [present] = await readRows(
    pqlText({ entity: "catalogs", fields: ["code_id"], conditions: [equal("certname", certname)] }),
  );
  const changes = await readRows(
    pqlText({
      entity: "catalog_changes",
      fields: ["before", "after", "from"],
      conditions: [equal("certname", certname), equal("what", "code_id")],
      order: ["order by from"],
    }),
  );
  return (time) => {
    if (time === null) return null;
    const later = changes.find(({ from }) => cellText(from) > cellText(time));
    return (later === undefined ? present?.["code_id"] : later["before"]) ?? null;
  };
}
