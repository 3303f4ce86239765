import { text } from "node:stream/consumers";
import { declareCommand } from "../command.ts";
import { followOutput } from "../follow/output-option.ts";
import { sourceOptions } from "../sources/options.ts";

export const watch = declareCommand({
  name: "watch",
  description: "Run a query again and again, and print or send the rows that came or went",
  args: {
    query: { type: "positional", required: true, description: "Query in PQL, or AST as JSON; - reads it from stdin" },
    sql: { type: "boolean", description: "The query is SQL; a server must allow it" },
    every: { type: "string", valueHint: "DURATION", description: "Time between two looks (default: 30s)" },
    once: {
      type: "boolean",
      description: "Compare once and end; with the cursor, for cron, archives and data directories",
    },
    initial: { type: "boolean", description: "Send all rows as added at the first run (default: they are the base)" },
    cursor: {
      type: "string",
      valueHint: "FILE",
      description: "Remember in FILE what was delivered, so that the next run goes on from there",
    },
    exec: {
      type: "string",
      valueHint: "COMMAND",
      description:
        "Run this with the change as JSON on stdin, and CENSUS_CHANGE_ADDED, _REMOVED, _SEQUENCE and _ID set",
    },
    webhook: { type: "string", valueHint: "URL", description: "Post the change there as signed JSON" },
    secret: {
      type: "string",
      valueHint: "FILE",
      description: "File with the secret that webhooks are signed with (default: $CENSUS_WEBHOOK_SECRET)",
    },
    "webhook-cacert": {
      type: "string",
      valueHint: "FILE",
      description: "CA certificate that signed the certificate of the webhook's receiver, PEM",
    },
    ...sourceOptions,
    output: followOutput,
  },
  refuses: {
    "as-of":
      "watch reports what changes, and a past state does not; use census query --as-of, or census diff --since and --until",
  },
  examples: [
    `watch 'nodes[certname] { latest_report_status = "failed" }' --url http://127.0.0.1:8080`,
    `watch 'facts[certname, value] { name = "kernelrelease" }' --every 5m --exec 'mail -s kernels ops' --url http://127.0.0.1:8080`,
    `watch 'nodes[certname] {}' --webhook https://hooks.example.com/census --secret secret.txt --cursor nodes.cursor --url http://127.0.0.1:8080`,
    `watch 'nodes[certname] {}' --archive export.tgz --once --cursor archive.cursor --initial`,
  ],
  run: async ({ args }) => {
    const { runWatch } = await import("../follow/watch.ts");
    await runWatch({ ...args, query: args.query === "-" ? await text(process.stdin) : args.query });
  },
});
