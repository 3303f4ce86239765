import { FileInUse } from "#storage/engine/file-in-use.ts";
import { CensusError } from "#storage/errors.ts";
import type { Anonymizer } from "#storage/anonymize/anonymizer.ts";
import type { ProfileName } from "#storage/anonymize/profiles.ts";
import { type AnonymizeArguments, anonymizeOptions, checkAnonymizeArguments } from "../anonymize/options.ts";
import { declareCommand } from "../command.ts";
import { oneLine, UsageError } from "../errors.ts";
import { reportIgnoredMembers } from "../ignored-members.ts";
import { isOrigin } from "../sources/recognised.ts";
import { archiveArgument, nowOption, readNow } from "../options.ts";
import { dataDirectoryOptions, withPlace } from "../service-config.ts";
import { type ContactArguments, contactOptions, type ServiceArguments } from "../sources/contact-options.ts";
import { stdout } from "../stdout.ts";

export const importCommand = declareCommand({
  name: "import",
  description: "Import archives, or what servers have, into a data directory, or send archives to a server",
  args: {
    archive: {
      ...archiveArgument,
      description: `${archiveArgument.description}; several of a site become history; or URLs of servers to copy once`,
    },
    ...dataDirectoryOptions,
    ...contactOptions,
    url: {
      ...contactOptions.url,
      description:
        "Server to use, Census or PuppetDB: send the archive to it instead of importing it into a data directory",
    },
    urls: { ...contactOptions.urls, description: "Several servers; the first one gets the archive" },
    wait: {
      type: "string",
      valueHint: "DURATION",
      description:
        "With --url, wait until the server has stored everything, at most DURATION (30s, 5m); then exit code 1",
    },
    "keep-going": {
      type: "boolean",
      description: "Skip what cannot be read, list it, and import the rest; exit code 1 if anything was skipped",
    },
    ...anonymizeOptions,
    now: nowOption,
  },
  repeats: true,
  examples: [
    "import export.tgz --data /var/lib/census",
    "import last-week.tgz export.tgz --data series",
    "import damaged.tgz --keep-going",
    "import https://pdb.example.com:8081 --cacert ca.pem --cert me.pem --key me-key.pem --data /var/lib/census",
    "import export.tgz --anonymize moderate --data test",
    "import export.tgz --url http://127.0.0.1:8080 --wait 5m",
    "import export.tgz --url https://census.example.com:8081 --cacert ca.pem --cert me.pem --key me-key.pem",
  ],
  run: async ({ args }) => {
    const clock = readNow(args.now);
    const profile: ProfileName | undefined = args.anonymize;
    checkAnonymizeArguments("import", args);
    if (args._.length > 1 && profile !== undefined && profile !== "none" && args["salt-file"] === undefined) {
      throw new UsageError(
        "import: --anonymize of several archives needs --salt-file, so that nodes have the same names",
      );
    }
    if (args._.some(isOrigin)) return importServers(args);
    if (args.url !== undefined || args.urls !== undefined) return importIntoServer(args, args._);
    if (args.wait !== undefined) throw new UsageError("import: --wait applies to a server: --url names it");
    const [{ importArchive }, { seriesOf }, { LeftOut }, { dataDirectoryOf }, { contentSettings }, { Store }] =
      await Promise.all([
        import("../import-archive.ts"),
        import("../import/series.ts"),
        import("../import/left-out.ts"),
        import("../configured.ts"),
        import("../shared-settings.ts"),
        import("#storage/store.ts"),
      ]);
    // Check the archives first, so that a wrong file creates no directory.
    const { paths } = await seriesOf(args._);
    const skipped = new LeftOut();
    const directory = await dataDirectoryOf(args);
    (await import("../owner.ts")).actAsOwner(directory.value, paths);
    const store = await withPlace("data directory", directory.from, () =>
      unlessInUse(args, () =>
        Store.open({
          directory: directory.value,
          ...(directory.settings === undefined ? {} : contentSettings(directory.settings)),
          onNotice: (text) => process.stderr.write(`census: ${oneLine(text)}\n`),
          ...(clock === undefined ? {} : { clock }),
        }),
      ),
    );
    try {
      for (const path of paths) {
        const began = performance.now();
        let ignored = 0;
        const imported = await importArchive(store, path, {
          anonymizer: profile === undefined ? undefined : await anonymizerFor(path, profile, args["salt-file"]),
          ...(args["keep-going"] ? { onSkipped: skipped.note } : {}),
          onHistoryLeftOut: skipped.note,
          onIgnored: () => {
            ignored++;
          },
        });
        reportIgnoredMembers(path, ignored);
        await stdout.write(`${summary(path, imported, (performance.now() - began) / 1000)}\n`);
      }
    } finally {
      skipped.report();
      await store.close();
    }
    return skipped.hasAny ? 1 : 0;
  },
});

interface ServerArguments extends ServiceArguments {
  readonly _: readonly string[];
  readonly data?: string | undefined;
}

/** Copies servers once, and notes what is needed to fetch only what differs the next time. */
async function importServers(args: ServerArguments): Promise<number> {
  const { _: urls, url, urls: others, config } = args;
  if (url !== undefined || others !== undefined) throw new UsageError("import: --url takes an archive, not a server");
  if (!urls.every(isOrigin)) throw new UsageError("import: servers and archives cannot be imported together");
  const [{ dataDirectoryOf }, { followCommand }] = await Promise.all([
    import("../configured.ts"),
    import("../origins/command.ts"),
  ]);
  const { value: directory } = await dataDirectoryOf(args);
  const shown = { contact: args, acceptsLoss: false, showsBrowser: false } as const;
  return followCommand({ urls, directory, config, mode: "once", ...shown });
}

interface LocalArguments extends ServiceArguments {
  readonly archive: string;
  readonly data?: string | undefined;
}

/** @throws CensusError "bad-file" that names the command to use where a service has the data directory open */
async function unlessInUse<T>(args: LocalArguments, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof FileInUse)) throw error;
    const { archive } = args;
    const { contactOf } = await import("../sources/contact.ts");
    // With --data nothing says which address the service has, nor does a configuration without a port.
    const contact = args.data === undefined ? await contactOf(args).catch(() => undefined) : undefined;
    const url = contact?.urls[0].origin ?? "URL";
    const remedy = `stop it, or send the archive to it: census import ${archive} --url ${url}`;
    throw new CensusError("bad-file", `${error.problem}; ${remedy}`, { cause: error });
  }
}

interface SendingArguments extends ContactArguments, AnonymizeArguments {
  readonly wait?: string | undefined;
  readonly data?: string | undefined;
  readonly now?: string | undefined;
  readonly "keep-going"?: boolean | undefined;
}

/** Options for the clock and for invalid members do not apply: the server decides about them. */
async function importIntoServer(args: SendingArguments, archives: readonly string[]): Promise<number> {
  const { data, now, "keep-going": keepGoing, anonymize: profile, "salt-file": saltFile } = args;
  const localOption = Object.entries({ data, now, "keep-going": keepGoing }).find(([, value]) => value !== undefined);
  if (localOption !== undefined)
    throw new UsageError(`import: --${localOption[0]} applies to a data directory, not to a server`);
  const [{ contactOf }, { seriesOf }, { sendArchive }, { readInterval }, { whenStored }] = await Promise.all([
    import("../sources/contact.ts"),
    import("../import/series.ts"),
    import("../import/to-server.ts"),
    import("../follow/pause.ts"),
    import("../import/when-stored.ts"),
  ]);
  const waitMs = args.wait === undefined ? undefined : readInterval("--wait", args.wait);
  const contact = await contactOf(args);
  const paths = archives.length === 1 ? archives : (await seriesOf(archives)).paths;
  for (const path of paths) {
    const began = performance.now();
    const anonymizer =
      profile === undefined || profile === "none" ? undefined : await anonymizerFor(path, profile, saltFile);
    const server = await sendArchive(contact, path, anonymizer);
    const seconds = (performance.now() - began) / 1000;
    await stdout.write(`Sent ${path} to ${server} in ${seconds.toFixed(1)} s; its commands are queued there\n`);
  }
  if (waitMs === undefined) return 0;
  const began = performance.now();
  const waiting = await whenStored(contact, waitMs);
  if (waiting > 0) {
    process.stderr.write(
      `census: ${waiting} commands are still queued after ${args.wait}; queries return less until they are stored\n`,
    );
    return 1;
  }
  await stdout.write(`Stored after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  return 0;
}

async function anonymizerFor(archive: string, profile: ProfileName, saltFile: string | undefined): Promise<Anonymizer> {
  const { archiveAnonymizer, readSalt } = await import("../anonymize/anonymizer.ts");
  return archiveAnonymizer(archive, profile, await readSalt(saltFile));
}

function summary(archive: string, imported: ReadonlyMap<string, number>, seconds: number): string {
  const counts = [...imported].filter(([, count]) => count > 0).map(([command, count]) => `${count} ${command}`);
  return `Imported ${counts.length === 0 ? "nothing" : counts.join(", ")} from ${archive} in ${seconds.toFixed(1)} s`;
}
