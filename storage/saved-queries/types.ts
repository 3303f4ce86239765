import type { Json, JsonObject } from "../json.ts";

/** A place in a file; 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Queries of a file, some with what is expected of their rows. */
export interface QueryFile {
  readonly path: string;
  readonly title: string | undefined;
  /** Names of parameters, with the values that they have. */
  readonly parameters: ReadonlyMap<string, ParameterValue | undefined>;
  readonly queries: readonly SavedQuery[];
  /** What the explorer shows besides the queries. */
  readonly views: readonly SavedView[];
  readonly links: readonly SavedLink[];
}

/** A page of the explorer with its parameters. */
export interface SavedView {
  readonly name: string;
  /** The path and all behind it: `/explorer/nodes?env=production`. */
  readonly address: string;
  /** Where the address begins. */
  readonly place: Place;
}

/** What links are shown for, with the values that they may have as parts: `{certname}`. */
export const linkSubjects = {
  node: ["certname", "environment"],
  report: ["certname", "environment", "hash", "configuration_version", "code_id", "transaction_uuid"],
  // A line of Puppet code; the path is that within the folder of its environment.
  code: ["environment", "path", "line"],
} as const;

export type LinkSubject = keyof typeof linkSubjects;

/** A link to another place, such as an inventory of machines. */
export interface SavedLink {
  readonly label: string;
  readonly on: LinkSubject;
  /** With parts in braces. */
  readonly url: string;
}

/** How the explorer's overview shows the rows of a query. */
export const panelKinds = ["bars", "line", "histogram", "number"] as const;

export type PanelKind = (typeof panelKinds)[number];

export type ParameterScalar = string | number | boolean;
export type ParameterValue = ParameterScalar | readonly ParameterScalar[];

export type QueryLanguage = "PQL" | "AST" | "SQL";

export interface SavedQuery {
  /** Unique in its file. */
  readonly name: string;
  readonly place: Place;
  /** `states`: the text names states of nodes, with commas between them. */
  readonly language: QueryLanguage | "states";
  /** With the values of parameters; those without a value are still there as `$name`. */
  readonly text: string;
  /** Where the text begins. */
  readonly textPlace: Place;
  /** Parameters without a value that it uses. */
  readonly unset: readonly string[];
  readonly advice: string | undefined;
  readonly severity: Severity;
  /** Undefined: the overview does not show it. */
  readonly panel: PanelKind | undefined;
  /** Undefined: only a query. */
  readonly expectation: Expectation | undefined;
}

/** From grave to slight. */
export const severities = ["error", "warning", "note"] as const;

export type Severity = (typeof severities)[number];

/** Both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What the values of a column must be. */
export interface ColumnExpectation {
  readonly name: string;
  /** Each value is one of these. */
  readonly only: readonly Json[] | undefined;
  /** Each of these is there. */
  readonly includes: readonly Json[] | undefined;
  /** Each value is a number within these. */
  readonly bounds: Bounds | undefined;
}

/** What is expected of the rows, or of the rows compared with those of an older source. */
export type Expectation =
  | { readonly kind: "rows"; readonly count: Bounds | undefined; readonly column: ColumnExpectation | undefined }
  | { readonly kind: "change"; readonly mayBeNew: boolean; readonly mayBeMissing: boolean };

export type Row = JsonObject;
