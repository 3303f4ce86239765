import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { printObject } from "../output/print.ts";
import { dataDirectoryOptions, withPlace } from "../service-config.ts";

export const verify = declareCommand({
  name: "verify",
  description: "Check a data directory for damage; exit code 1 on damage",
  args: {
    ...dataDirectoryOptions,
    output: outputOption("table", "json"),
  },
  examples: ["verify --data /var/lib/census", "verify --output json"],
  run: async ({ args }) => {
    const [{ dataDirectoryOf }, { verifyDirectory }, { verificationText }] = await Promise.all([
      import("../configured.ts"),
      import("#storage/verify/verify.ts"),
      import("../verify/verification-text.ts"),
    ]);
    const { value: directory, from } = await dataDirectoryOf(args);
    const verification = await withPlace("data directory", from, () => verifyDirectory(directory));
    await printObject(verification, verificationText(verification), args.output);
    return verification.findings.some(({ severity }) => severity === "damaged") ? 1 : 0;
  },
});
