import { spawn } from "node:child_process";

/** What decides whether and how a browser is started. */
export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the output goes to a terminal, and so to a person. */
  readonly isTerminal: boolean;
}

/**
 * The command that shows a page in the user's browser, as separate arguments, because no shell may interpret the
 * address.
 * @returns undefined where nobody would see it: without a terminal, in a session over SSH, without a display
 */
export function browserCommand(
  url: string,
  { platform, env, isTerminal }: Desktop,
): readonly [program: string, ...words: string[]] | undefined {
  if (!isTerminal || isSet(env["SSH_CONNECTION"])) return undefined;
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return isSet(env["DISPLAY"]) || isSet(env["WAYLAND_DISPLAY"]) ? ["xdg-open", url] : undefined;
}

/**
 * Shows a page in the user's browser, if there is one.
 * @returns whether it was tried; a browser that cannot be started is ignored, as the address is printed too
 */
export function openBrowser(url: string): boolean {
  const { platform, env } = process;
  const command = browserCommand(url, { platform, env, isTerminal: process.stdout.isTTY });
  if (command === undefined) return false;
  const [program, ...words] = command;
  // A process group of its own, so that Ctrl-C ends the service alone.
  const child = spawn(program, words, { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
  return true;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
