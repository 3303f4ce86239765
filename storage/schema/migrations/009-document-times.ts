/**
 * When the fact sets and catalogs of nodes were produced, unchanged ones included: a document that arrives late is inserted
 * into the history before the one that followed it (`storage/history/late-recorder.ts`). A command that was sent again may have
 * two rows.
 */
export const documentTimes = {
  version: 9,
  name: "document-times",
  statements: [
    `CREATE TABLE history_documents (
      node_id INTEGER NOT NULL,
      is_catalog BOOLEAN NOT NULL,
      produced TIMESTAMP NOT NULL
    )`,
  ],
} as const;
