import { dataKey } from "#storage/data-key.ts";
import { type ArchivePair, compareArchives, compareNodeOfArchives } from "#storage/diff/archives.ts";
import type { Side } from "#storage/diff/side.ts";
import { CensusError } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import type { HttpRequest } from "../../http/request.ts";
import { type HttpResponse, textResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { flag, type Given, readGiven, required } from "./given.ts";
import { type Answer, type AnswerPath, shapes } from "./shapes.ts";
import { LARGEST_BODY } from "./selection.ts";

const volatile: DescribedParameter = {
  name: "volatile",
  description: "Whether values that always differ are compared too, such as uptimes",
  schema: { type: "boolean", default: false },
};

const certname: DescribedParameter = {
  name: "certname",
  description: "The node",
  schema: { type: "string" },
  required: true,
  example: "web-01.example.com",
};

const noOther =
  "There is no archive to compare with: start census open NEW.tgz --against OLD.tgz, or use census diff OLD.tgz NEW.tgz";

/** What differs between the served archive and the one that it is compared with, for all nodes. */
export const archiveComparison: Endpoint = {
  path: "archive-comparison",
  describe: () =>
    operations(
      {
        summary: "Compare the served archive with an older one",
        description: "Of `census open NEW --against OLD`; as `census diff OLD NEW --summary` does.",
        ok: json("What differs", withRevision(shapes["archive-comparison"])),
        missing: noOther,
      },
      [volatile],
    ),
  handle: (services, request) =>
    answerPair(services, request, ["volatile"], (given) => {
      const withVolatile = flag(given, "volatile");
      return {
        of: "archive-comparison",
        key: String(withVolatile),
        make: (pair) => compareArchives(pair, withVolatile),
      };
    }),
};

/** How one node differs. */
export const archiveComparisonNode: Endpoint = {
  path: "archive-comparison/node",
  describe: () =>
    operations(
      {
        summary: "Compare a node of the served archive with the same node of an older one",
        description: "In full, with the latest report, as `census diff OLD NEW --node` does.",
        ok: json("The differences", withRevision(shapes["archive-comparison/node"])),
        missing: `Neither archive has the node. ${noOther}`,
      },
      [certname, volatile],
    ),
  handle: (services, request) =>
    answerPair(services, request, ["certname", "volatile"], (given) => {
      const [name, withVolatile] = [required(given, "certname"), flag(given, "volatile")];
      return {
        of: "archive-comparison/node",
        key: dataKey([name, withVolatile]),
        make: (pair) => compareNodeOfArchives(pair, name, withVolatile),
      };
    }),
};

interface Made<Path extends AnswerPath> {
  readonly of: Path;
  readonly key: string;
  readonly make: (pair: ArchivePair) => Promise<Answer<Path>>;
}

async function answerPair<Path extends AnswerPath>(
  services: ExplorerServices,
  request: HttpRequest,
  names: readonly string[],
  read: (given: Given) => Made<Path>,
): Promise<HttpResponse> {
  return answerReadably(services, request, async (signal) => {
    const { store, explorer } = services;
    const given = await readGiven(request, names, LARGEST_BODY);
    const { of, key, make } = read(given);
    const { against } = explorer;
    if (against === undefined) return textResponse(noOther, 404);
    try {
      return await cachedAnswer(services, request, { of, key }, signal, (working) =>
        make({ from: sideOf(against.store, working), to: sideOf(store, working) }),
      );
    } catch (error) {
      if (error instanceof CensusError && error.code === "not-found") return textResponse(error.message, 404);
      throw error;
    }
  });
}

function sideOf({ queries }: Store, signal: AbortSignal): Side {
  return {
    isBytewise: true,
    query: async function* (query) {
      const { rows } = await queries.run(queries.plan({ of: "root", query }), { signal });
      for await (const batch of rows) yield batch.texts();
    },
  };
}
