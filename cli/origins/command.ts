import { loadSettings } from "#app/settings/load.ts";
import type { Flags } from "#app/settings/sources/flags.ts";
import { openStore } from "#storage/open.ts";
import { UsageError } from "../errors.ts";
import { actAsOwner } from "../owner.ts";
import { contentSettings } from "../shared-settings.ts";
import { untilStopped } from "../follow/until-stopped.ts";
import { serveWith } from "../serving.ts";
import type { ContactArguments } from "../sources/contact-options.ts";
import { stdout } from "../stdout.ts";
import { copyServers, copyText } from "./copy-once.ts";

export interface FollowCommand {
  readonly urls: readonly string[];
  /** Absent: in memory. */
  readonly directory: string | undefined;
  readonly every?: string | undefined;
  readonly contact: Pick<ContactArguments, "cacert" | "cert" | "key" | "token">;
  /** Absent: the default port, or the next free one. */
  readonly port?: string | undefined;
  readonly config?: string | undefined;
  readonly acceptsLoss: boolean;
  readonly mode: "serve" | "once" | "until equal";
  readonly showsBrowser: boolean;
  /** More settings. */
  readonly flags?: Flags;
}

/** Copies servers, and serves the copy unless it is made once. @returns the exit code */
export async function followCommand(command: FollowCommand): Promise<number> {
  const { urls, directory, every, contact, port, config, acceptsLoss, mode, showsBrowser } = command;
  const given = {
    ...command.flags,
    follow: urls.join(" "),
    "follow-interval": every,
    "follow-cacert": contact.cacert,
    "follow-cert": contact.cert,
    "follow-key": contact.key,
    "follow-token-file": contact.token,
    port,
  };
  const loaded = await loadSettings({ config, env: process.env, flags: given });
  const { settings, entries, ignored, warnings } = loaded;
  const { follow } = settings;
  if (follow === undefined) throw new UsageError("name a server to follow, e.g. https://pdb.example.com:8081");
  if (directory !== undefined) {
    const { cacert, cert, key, token } = contact;
    actAsOwner(
      directory,
      [cacert, cert, key, token].filter((file) => file !== undefined),
    );
  }
  if (mode === "serve") {
    const alternatives = port === undefined && config === undefined ? 100 : 0;
    const about = { ignored, warnings, entries, acceptsLoss, alternatives, showsBrowser };
    await serveWith(settings, { directory, clock: undefined, ...about });
    return 0;
  }
  await untilStopped(async (signal) => {
    const began = performance.now();
    const store = await openStore({
      ...(directory === undefined ? {} : { directory }),
      ...contentSettings(settings),
      acceptsLoss,
      onNotice: (text) => process.stderr.write(`census: ${text}\n`),
    });
    try {
      const untilEqual = mode === "until equal";
      const copied = await copyServers(store, { settings: follow, acceptsLoss, untilEqual, signal });
      await stdout.write(copyText(copied, (performance.now() - began) / 1000));
    } finally {
      await store.close();
    }
  });
  return 0;
}
