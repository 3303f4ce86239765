import { storeFailuresOfAll } from "../../issues/stored-reports.ts";

/**
 * What failed in the runs of nodes, and the issues that failures are joined to. An issue's id is a hash of its folded text
 * (`storage/issues/`), so that it is the same in every store. `common_id` is the same for issues with the same message, whatever
 * resource has it. Failures repeat what the reports contain: time, environment and kind of the report are there so that counting
 * issues reads no other table.
 */
export const failures = {
  version: 16,
  name: "failures of reports",
  statements: [
    `CREATE TABLE IF NOT EXISTS issues (
      id BIGINT NOT NULL,
      common_id BIGINT NOT NULL,
      kind VARCHAR NOT NULL,
      type VARCHAR,
      title VARCHAR,
      message VARCHAR NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS failures (
      issue_id BIGINT NOT NULL,
      report_id BIGINT NOT NULL,
      node_id INTEGER NOT NULL,
      produced TIMESTAMP NOT NULL,
      environment VARCHAR,
      is_plan BOOLEAN NOT NULL,
      count INTEGER NOT NULL,
      class VARCHAR,
      file VARCHAR,
      line BIGINT,
      message VARCHAR NOT NULL USING COMPRESSION zstd
    )`,
  ],
  fill: storeFailuresOfAll,
} as const;
