import { parentPort } from "node:worker_threads";
import { clipped } from "#storage/clip.ts";
import { CensusError, type ErrorCode, messageOf } from "#storage/errors.ts";
import type { PlanningContext } from "#storage/query/planner.ts";
import { planQuery } from "#storage/query/query.ts";
import type { CompiledStatement } from "#storage/query/compiled-statement.ts";
import { pretty } from "../http/pretty.ts";
import { formPairs } from "./form-pairs.ts";
import { type ParameterRules, type QueryParameters, readParameters } from "./parameters.ts";
import { checkedAst, plansOf, type SpecSettings, type Target } from "./query-spec.ts";

/** A request whose query is to be read and planned. */
export interface LargeRequest {
  readonly body: Uint8Array;
  /**
   * Undefined: the body is JSON, and the URL does not count; else the body is a form besides these parameters of the
   * URL.
   */
  readonly search: string | undefined;
  readonly rules: ParameterRules;
  readonly target: Target;
  readonly settings: SpecSettings & { readonly pretty: boolean };
  readonly context: PlanningContext;
}

/** An error that the other thread reports. */
export interface Mistake {
  readonly code: ErrorCode | undefined;
  readonly message: string;
}

/** The parameters without their large values, and the plans made of them. */
export interface LargeReading {
  readonly parameters: QueryParameters;
  /** The query, or the body that contained it, clipped. */
  readonly text: string | undefined;
  readonly plans: readonly { readonly rows: CompiledStatement; readonly total: CompiledStatement | undefined }[];
  /** The text of the AST, if `ast_only` is set. */
  readonly ast: string | undefined;
  /** The parameters are valid, the query is not. */
  readonly mistake: Mistake | undefined;
}

/** Invalid parameters, without a query. */
export type LargeAnswer = LargeReading | Mistake;

parentPort?.once("message", (request: LargeRequest) => {
  let answer: LargeAnswer;
  try {
    answer = read(request);
  } catch (error) {
    answer = mistakeOf(error);
  }
  parentPort?.postMessage(answer);
});

function read({ body, search, rules, target, settings, context }: LargeRequest): LargeReading {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const parameters = readParameters(
    rules,
    search === undefined
      ? { method: "POST", body: text }
      : { method: "GET", params: formPairs(search), form: formPairs(text) },
    { pretty: settings.pretty },
  );
  const { query: _query, pql: _pql, orderBy: _orderBy, countsFilter: _filter, ...small } = parameters;
  const reading = {
    parameters: small,
    text: clipped(parameters.pql ?? text),
    plans: [],
    ast: undefined,
    mistake: undefined,
  };
  try {
    if (parameters.astOnly && target.kind === "root") {
      const ast = checkedAst(parameters, (spec) => planQuery({ ...spec, limits: settings.limits }, context));
      return { ...reading, ast: pretty(ast) };
    }
    const plans = plansOf(target, parameters, settings, context).map(({ rows, total }) => {
      return { rows, total: parameters.includeTotal ? total() : undefined };
    });
    return { ...reading, plans };
  } catch (error) {
    return { ...reading, mistake: mistakeOf(error) };
  }
}

function mistakeOf(error: unknown): Mistake {
  return { code: error instanceof CensusError ? error.code : undefined, message: messageOf(error) };
}
