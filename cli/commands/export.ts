import { stat } from "node:fs/promises";
import { anonymizeOptions, checkAnonymizeArguments } from "../anonymize/options.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { sourceOptions } from "../sources/options.ts";
import { stdout } from "../stdout.ts";

const MB = 1e6;

export const exportCommand = declareCommand({
  name: "export",
  description: "Export all data to an archive, atomically",
  args: {
    file: {
      type: "positional",
      required: true,
      valueHint: "FILE",
      description: "Archive to write; an existing file is replaced",
    },
    ...sourceOptions,
    format: {
      type: "enum",
      options: ["tar.gz", "zip"],
      description: "Archive format (default: from the extension of FILE)",
    },
    directory: {
      type: "enum",
      options: ["svc-bak", "puppetdb-bak"],
      description:
        "Top-level directory in the archive; PuppetDB imports puppetdb-bak only (default: svc-bak, or what the server chooses)",
    },
    "with-history": {
      type: "boolean",
      description:
        "Export recorded changes too, so that census log and --as-of work with the archive; PuppetDB ignores them",
    },
    ...anonymizeOptions,
  },
  readsPaths: true,
  refuses: {
    "as-of":
      "not all values of a past state are recorded, and an import takes an archive for complete; use --with-history, and " +
      "--as-of with the archive",
  },
  examples: [
    "export site.tgz --data /var/lib/census",
    "export for-puppetdb.tgz --url http://127.0.0.1:8080 --directory puppetdb-bak",
    "export site.tgz --with-history --data /var/lib/census",
    "export to-show.zip --archive site.tgz --anonymize moderate",
  ],
  run: async ({ args }) => {
    const [{ chooseSource }, { interruptible }, { formatOf }] = await Promise.all([
      import("../sources/choice.ts"),
      import("../interruptible.ts"),
      import("../anonymize/write.ts"),
    ]);
    const choice = chooseSource("export", args);
    const { file: path, directory, anonymize: profile } = args;
    checkAnonymizeArguments("export", args);
    const withHistory = args["with-history"] ?? false;
    if (withHistory && profile !== undefined && profile !== "none") {
      throw new UsageError(
        "export: --with-history and --anonymize cannot be used together: changes are not anonymized",
      );
    }
    const salt = await saltOf(args["salt-file"]);
    const order = { path, format: args.format ?? formatOf(path, "export"), directory, profile, salt, withHistory };
    const began = performance.now();
    let code;
    if (choice.kind === "url") {
      const [{ contactOf }, { exportServer }] = await Promise.all([
        import("../sources/contact.ts"),
        import("../export/from-server.ts"),
      ]);
      const contact = await contactOf(choice.contact);
      code = await interruptible((signal) => exportServer(contact, order, signal));
    } else {
      const [{ openLocal }, { exportStore }] = await Promise.all([
        import("../sources/local.ts"),
        import("../export/from-store.ts"),
      ]);
      const source = await openLocal(choice);
      try {
        code = await interruptible(async (signal) => exportStore(await source.whole(), order, signal));
      } finally {
        await source.close();
      }
    }
    if (code === 0) await stdout.write(`${await summary(path, (performance.now() - began) / 1000)}\n`);
    return code;
  },
});

async function saltOf(file: string | undefined) {
  if (file === undefined) return undefined;
  return (await import("../anonymize/anonymizer.ts")).readSalt(file);
}

async function summary(path: string, seconds: number): Promise<string> {
  const { size } = await stat(path);
  return `Exported ${path} (${(size / MB).toFixed(1)} MB) in ${seconds.toFixed(1)} s`;
}
