import { declareCommand } from "../command.ts";
import { stateOptions } from "../sources/options.ts";

export const top = declareCommand({
  name: "top",
  description: "Show states, issues and nodes full-screen, and follow a server",
  args: {
    every: { type: "string", valueHint: "DURATION", description: "Time between two looks (default: 5s)" },
    ...stateOptions,
  },
  examples: [
    "top",
    "top export.tgz",
    "top --as-of 2d --data /var/lib/census",
    "top https://census.example.com:8081 --cert cert.pem --key key.pem --cacert ca.pem",
  ],
  run: async ({ args }) => {
    const { runTop } = await import("../top/run.ts");
    return runTop(args, args.every);
  },
});
