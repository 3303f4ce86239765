import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { serviceConfigOption } from "../service-config.ts";

export const selfCheck = declareCommand({
  name: "self-check",
  description:
    "Check this installation: checksums, permissions, engine, configuration, certificates, disk, clock; exit code 1 on errors",
  args: {
    config: serviceConfigOption,
    "as-user": {
      type: "string",
      valueHint: "NAME",
      description: "Check permissions for this user, as whom the service runs (default: the current user)",
    },
    output: outputOption("table", "json"),
  },
  examples: ["self-check", "self-check --as-user census", "self-check --output json"],
  run: async ({ args }) => {
    const { config, "as-user": asUser, output } = args;
    const [{ checkInstallation }, { writeFindings }] = await Promise.all([
      import("../self-check/check-installation.ts"),
      import("../config/findings.ts"),
    ]);
    return writeFindings(await checkInstallation(config, asUser), "Installation", output);
  },
});
