import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { dataDirectoryOptions, placeText } from "../service-config.ts";
import { stdout } from "../stdout.ts";

export const verify = declareCommand({
  name: "verify",
  description: "Check a data directory for damage; exit code 1 on damage",
  args: {
    ...dataDirectoryOptions,
    output: outputOption("table", "json"),
  },
  examples: ["verify --data /var/lib/census", "verify --output json"],
  run: async ({ args }) => {
    const [{ dataDirectoryOf }, { verifyDirectory }, { verificationText }, { CensusError }] = await Promise.all([
      import("../configured.ts"),
      import("#storage/verify/verify.ts"),
      import("../verify/verification-text.ts"),
      import("#storage/errors.ts"),
    ]);
    const { value: directory, from } = await dataDirectoryOf(args);
    const verification = await verifyDirectory(directory).catch((error: unknown) => {
      if (!(error instanceof CensusError)) throw error;
      throw new CensusError(error.code, `${error.message}${placeText("data directory", from)}`, { cause: error });
    });
    const output: "table" | "json" | undefined = args.output;
    const isText = (output ?? (process.stdout.isTTY ? "table" : "json")) === "table";
    await stdout.write(isText ? verificationText(verification) : `${JSON.stringify(verification, null, 2)}\n`);
    return verification.findings.some(({ severity }) => severity === "damaged") ? 1 : 0;
  },
});
