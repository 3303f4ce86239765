/** The usual time between the reports of a node, seconds (`states/report-interval.ts`). NULL until it has reported twice. */
export const reportInterval = {
  version: 17,
  name: "report interval",
  statements: ["ALTER TABLE nodes ADD COLUMN report_interval INTEGER"],
} as const;
