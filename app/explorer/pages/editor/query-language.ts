/** The languages of the workbench: PQL, the AST as JSON, and SQL where it is on. */
export const queryLanguages = ["pql", "ast", "sql"] as const;

export type QueryLanguage = (typeof queryLanguages)[number];
