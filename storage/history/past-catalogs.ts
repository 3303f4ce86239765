import { firstLater, type PastRows, withFirst } from "./past-rows.ts";

export const catalogResources: PastRows = {
  name: "catalog_resources",
  history: "history_resources",
  first: "catalog",
  columns: "now.*",
  keys: ["node_id", "resource_id"],
  came: ({ table, time }) => `SELECT node_id, after_id AS resource_id FROM ${table("history_resources")}
    WHERE changed > ${time} AND after_id IS NOT NULL`,
  went: (past) => `SELECT h.node_id, h.before AS resource_id, h.type
    FROM ${firstLater(past, "history_resources", "node_id, type, title", "before_id")} h
    ANTI JOIN (${withFirst(past, "catalog")}) f USING (node_id) WHERE h.before IS NOT NULL`,
};

export const catalogEdges: PastRows = {
  name: "catalog_edges",
  history: "history_edges",
  first: "catalog",
  columns: "now.*",
  keys: ["node_id", "edge_id"],
  came: ({ table, time }) => `SELECT node_id, edge_id FROM ${table("history_edges")} WHERE changed > ${time}`,
  went: (past) => `SELECT h.node_id, h.edge_id FROM ${firstLater(past, "history_edges", "node_id, edge_id", "came")} h
    ANTI JOIN (${withFirst(past, "catalog")}) f USING (node_id) WHERE NOT h.before`,
};
