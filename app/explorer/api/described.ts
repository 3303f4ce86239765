import { mediaReplies, plain } from "../../openapi/replies.ts";
import type { Operation, PathItem, Reply, Schema } from "../../openapi/types.ts";

/** A parameter of an endpoint. */
export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
  /** It may be given several times, in a body as a list. */
  readonly isRepeated?: boolean;
  readonly example?: unknown;
}

/** The operations of an endpoint whose parameters are in the address of a GET or the body of a POST. */
export function operations(
  {
    summary,
    description,
    ok,
    missing,
  }: {
    readonly summary: string;
    readonly description?: string;
    /** What is answered with status 200. */
    readonly ok: Reply;
    /** What a 404 says. */
    readonly missing?: string;
  },
  parameters: readonly DescribedParameter[],
  inPath: Operation["parameters"] = [],
): PathItem {
  const common = {
    summary,
    ...(description === undefined ? {} : { description }),
    responses: {
      "200": ok,
      "400": plain("The query or a parameter is invalid"),
      ...(missing === undefined ? {} : { "404": plain(missing) }),
      ...mediaReplies,
      "500": plain("The request exceeded its time limit"),
      "503": plain("Too many requests are being answered"),
    },
  } as const;
  const schemaOf = ({ schema, isRepeated }: DescribedParameter): Schema =>
    isRepeated === true ? { type: "array", items: schema } : schema;
  const inUrl = parameters.map(({ name, description: text, required = false, example, ...rest }) => ({
    name,
    in: "query" as const,
    description: text,
    required,
    schema: schemaOf({ name, description: text, ...rest }),
    ...(example === undefined ? {} : { example }),
  }));
  const properties = parameters.map((each) => [each.name, { ...schemaOf(each), description: each.description }]);
  const needed = parameters.flatMap(({ name, required }) => (required === true ? [name] : []));
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(properties) as Schema,
    additionalProperties: false,
    ...(needed.length === 0 ? {} : { required: needed }),
  };
  const example = Object.fromEntries(
    parameters.flatMap((each) =>
      each.required === true && each.example !== undefined ? [[each.name, each.example]] : [],
    ),
  ) as unknown;
  const requestBody = {
    description: "The parameters as an object",
    content: { "application/json": { schema, example } },
  };
  return {
    get: { ...common, parameters: [...inPath, ...inUrl] },
    post: { ...common, parameters: inPath, requestBody },
  };
}
