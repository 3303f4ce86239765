/**
 * Separates long facts from each other. The engine decompresses the texts of a vector (2048 rows) together, whichever
 * row is read: with 60 facts of 5 MB in one vector, reading one of them needed 600 MB. So a fact of some kilobytes or
 * more, and a leaf likewise, is followed by empty rows (spacers), as many as are needed for a vector to have at most 16
 * MB of text besides one fact (`storage/ingest/write/fact-tables.ts`). The spacers of node 7 have the node id 7 + 2^30,
 * so that they are deleted with its facts. The view `facts` omits them, and queries of `fact_leaves` do so by the path
 * id -1.
 */
export const factsApart = {
  version: 6,
  name: "long facts apart from each other",
  statements: [
    `DROP VIEW facts`,
    `ALTER TABLE long_facts RENAME TO long_facts_5`,
    `CREATE TABLE long_facts (
      node_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      value VARCHAR NOT NULL,
      sort_key VARCHAR NOT NULL
    )`,
    // The engine preserves the order of rows, and of the elements of a list. Sorting them would need memory for all
    // texts.
    `INSERT INTO long_facts
     SELECT if(place = 0, node_id, node_id + 1073741824), if(place = 0, name, ''), if(place = 0, value, ''), if(place = 0, sort_key, '')
     FROM (
       SELECT *, unnest(range(1 + least(2047, (length(value) + length(sort_key)) // 8192))) AS place FROM long_facts_5
     )`,
    `DROP TABLE long_facts_5`,
    `CREATE VIEW facts AS SELECT * FROM short_facts UNION ALL SELECT * FROM long_facts WHERE node_id < 1073741824`,
    `ALTER TABLE fact_leaves RENAME TO fact_leaves_5`,
    `CREATE TABLE fact_leaves (
      node_id INTEGER NOT NULL,
      path_id INTEGER NOT NULL,
      value VARCHAR NOT NULL,
      sort_key VARCHAR NOT NULL
    )`,
    `INSERT INTO fact_leaves
     SELECT if(place = 0, node_id, node_id + 1073741824), if(place = 0, path_id, -1), if(place = 0, value, ''), if(place = 0, sort_key, '')
     FROM (
       SELECT *, unnest(range(1 + least(2047, (length(value) + length(sort_key)) // 8192))) AS place FROM fact_leaves_5
     )`,
    `DROP TABLE fact_leaves_5`,
  ],
} as const;
