import type { ReportWriter } from "./outcome.ts";

/** Names of the formats that checks are reported in. */
export const checkFormats = ["text", "json", "junit", "github", "sarif"] as const;

export type CheckFormat = (typeof checkFormats)[number];

/** What writes each format; loaded when it is used. */
export const reportWriters: Readonly<Record<CheckFormat, ReportWriter>> = {
  text: async (...report) => (await import("./text.ts")).writeText(...report),
  json: async (report, output) => output.write((await import("./json.ts")).jsonReport(report)),
  junit: async (report, output) => output.write((await import("./junit.ts")).junitReport(report)),
  github: async (report, output) => output.write((await import("./github.ts")).githubReport(report)),
  sarif: async (report, output) => output.write((await import("./sarif.ts")).sarifReport(report)),
};
