import { isSeq, parseDocument, Scalar } from "yaml";
import { CensusError } from "../errors.ts";
import { readQueryFile } from "./read.ts";

/** A query to save. */
export interface NewQuery {
  readonly name: string;
  readonly language: "query" | "sql";
  readonly text: string;
}

/**
 * The text of a file with another query at its end; comments stay.
 * @param text empty: a new file
 * @throws CensusError "bad-input" when the file is wrong, or has a query of this name
 */
export function withQuery(path: string, text: string, { name, language, text: query }: NewQuery): string {
  const isNew = text.trim() === "";
  if (!isNew && readQueryFile(path, text).queries.some((known) => known.name === name)) {
    throw new CensusError(
      "bad-input",
      `${path}: there is a query ${JSON.stringify(name)} already; choose another name`,
    );
  }
  const document = parseDocument(isNew ? "queries: []\n" : text);
  const queries = document.get("queries");
  if (!isSeq(queries)) throw new CensusError("bad-input", `${path}: the file must have queries, a list`);
  const scalar = new Scalar(query);
  // Lines stay as they were typed.
  if (query.includes("\n")) scalar.type = Scalar.BLOCK_LITERAL;
  queries.flow = false;
  queries.add(document.createNode({ name, [language]: scalar }));
  const saved = document.toString({ lineWidth: 0 });
  readQueryFile(path, saved);
  return saved;
}
