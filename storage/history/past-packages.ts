import { pastId } from "./past-facts.ts";
import { firstLater, type PastDictionary, type PastRows, withFirst } from "./past-rows.ts";

const HISTORY = "history_packages";
const id = pastId("g.name, g.version, g.provider");
const same = "k.name = g.name AND k.version = g.version AND k.provider = g.provider";

export const nodePackages: PastRows = {
  name: "node_packages",
  history: HISTORY,
  first: "facts",
  columns: "now.*",
  keys: ["node_id", "package_id"],
  came: ({ table, time }) => `SELECT h.node_id, k.id AS package_id FROM ${table(HISTORY)} h
    JOIN ${table("packages")} k ON k.name = h.name AND k.provider = h.provider WHERE h.changed > ${time}`,
  went: (past) => `SELECT g.node_id, coalesce(k.id, ${id}) AS package_id FROM (
      SELECT c.node_id, c.name, c.provider, unnest(c.before) AS version
      FROM ${firstLater(past, HISTORY, "node_id, name, provider", "before")} c
      ANTI JOIN (${withFirst(past, "facts")}) f USING (node_id)) g
    LEFT JOIN ${past.table("packages")} k ON ${same}`,
};

/** Packages of the present, and those of the time that no node has now. */
export const knownPackages: PastDictionary = {
  name: "known_packages",
  dictionary: "packages",
  isWhole: false,
  rows: ({ table, time }) => `SELECT ${id} AS id, g.name, g.version, g.provider FROM (
      SELECT DISTINCT name, unnest(before) AS version, provider FROM ${table(HISTORY)} WHERE changed > ${time}) g
    ANTI JOIN ${table("packages")} k ON ${same}`,
};

/** Packages that nodes had. */
export const pastPackages: PastDictionary = {
  name: "packages",
  dictionary: "packages",
  isWhole: true,
  rows: ({ prefix }) =>
    `SELECT k.* FROM temp.main.${prefix}known_packages k SEMI JOIN temp.main.${prefix}node_packages o ON o.package_id = k.id`,
};
