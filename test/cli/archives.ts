import { METADATA, type Entry } from "#test/storage/archive/build.ts";

export const metadata: Entry = ["puppetdb-bak/export-metadata.json", METADATA];

/** The facts of a node as a member of an archive. */
export function facts(certname: string, values: string, producerTimestamp = "2026-11-20T10:00:00.000Z"): Entry {
  const head = `"certname":"${certname}","environment":"production","producer":"ca.example.com"`;
  return [
    `puppetdb-bak/facts/${certname}.json`,
    `{${head},"producer_timestamp":"${producerTimestamp}","timestamp":"${producerTimestamp}","values":${values}}`,
  ];
}

/** Values that a careless reader or writer damages, by name in alphabetical order. */
export const delicateFacts = `{"exact":1.0,"huge":12345678901234567890123,"nested":{"a":[1,null],"b":"x, y"},"none":null,"quoted":"say \\"ü\\",\\nthen 東京","yes":true}`;
