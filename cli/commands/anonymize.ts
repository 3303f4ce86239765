import type { ProfileName } from "#storage/anonymize/profiles.ts";
import type { Written } from "../anonymize/write.ts";
import { profileOption, saltFileOption } from "../anonymize/options.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { reportIgnoredMembers } from "../ignored-members.ts";
import { archiveArgument, outputOption } from "../options.ts";
import { counted } from "../output/counted.ts";
import { printRows } from "../output/print.ts";
import { stdout } from "../stdout.ts";

const defaultProfile: ProfileName = "full";

export const anonymize = declareCommand({
  name: "anonymize",
  description: "Write a copy of an archive with names and values replaced",
  args: {
    archive: archiveArgument,
    out: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description: "Archive to write: .tgz, .tar.gz or .zip; not with --preview",
    },
    profile: profileOption(defaultProfile),
    "salt-file": saltFileOption,
    preview: {
      type: "string",
      valueHint: "N",
      description: "Write nothing; show what would be replaced in N nodes",
    },
    output: outputOption("table", "json", "ndjson", "csv", "markdown"),
  },
  examples: [
    "anonymize export.tgz anonymous.tgz --profile moderate",
    "anonymize export.tgz --preview 1 --profile low",
    "anonymize export.tgz anonymous.tgz --salt-file salt",
  ],
  run: async ({ args }) => {
    const { archive, profile = defaultProfile } = args;
    const [out, preview, output]: (string | undefined)[] = [args.out, args.preview, args.output];
    if (preview === undefined) {
      if (out === undefined)
        throw new UsageError("anonymize: missing argument OUT; --preview N shows what would be replaced");
      if (output !== undefined) throw new UsageError("anonymize: --output needs --preview");
    } else if (out !== undefined) throw new UsageError("anonymize: --preview writes nothing; omit the argument OUT");
    const nodes = preview === undefined ? 0 : readNodes(preview);
    const { formatOf, writeAnonymized } = await import("../anonymize/write.ts");
    if (out !== undefined) formatOf(out);
    const { archiveAnonymizer, readSalt } = await import("../anonymize/anonymizer.ts");
    const began = performance.now();
    const anonymizer = await archiveAnonymizer(archive, profile, await readSalt(args["salt-file"]));
    if (out === undefined) {
      const { previewRows } = await import("../anonymize/preview.ts");
      await printRows(previewRows(archive, anonymizer, nodes), args.output);
      return 0;
    }
    const { interruptible } = await import("../interruptible.ts");
    let written: Written = { documents: 0, ignored: 0 };
    const code = await interruptible(async (signal) => {
      written = await writeAnonymized(archive, out, anonymizer, signal);
    });
    if (code !== 0) return code;
    const { documents, ignored } = written;
    reportIgnoredMembers(archive, ignored);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    await stdout.write(`Wrote ${counted(documents, "document")} to ${out} in ${seconds} s (profile ${profile})\n`);
    return 0;
  },
});

function readNodes(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`--preview must be a number of nodes from 1 to 9999, not ${JSON.stringify(text)}`);
}
