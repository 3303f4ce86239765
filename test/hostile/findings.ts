import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Attack, type HttpAttack, targetOf } from "./attack.ts";

const root = resolve(import.meta.dirname, "../..");

/** Where findings are written. */
export const findingsFolder = join(root, "dist/hostile");

/** Something that the service should not have done. */
export interface Finding {
  /** Findings with the same key are one. */
  readonly key: string;
  /** What happened, e.g. `status 500`. */
  readonly problem: string;
  /** What the service printed, or how it ended. */
  readonly detail: string;
  /** The smallest attack that was found to do it; undefined where it takes more than one. */
  readonly attack: Attack | undefined;
  /** Where in the sequence of the seed. */
  readonly index: number;
}

/** Findings by key, with how often each came. */
export class Findings {
  readonly #found = new Map<string, { finding: Finding; count: number }>();

  has(key: string): boolean {
    return this.#found.has(key);
  }

  /** Whether this key is new; if not, it is counted. */
  isNew(key: string): boolean {
    const known = this.#found.get(key);
    if (known !== undefined) known.count++;
    return known === undefined;
  }

  add(finding: Finding): void {
    this.#found.set(finding.key, { finding, count: 1 });
  }

  get size(): number {
    return this.#found.size;
  }

  list(): readonly { readonly finding: Finding; readonly count: number }[] {
    return [...this.#found.values()];
  }

  /**
   * Writes all findings to a page, with a file for every body that a command line cannot hold.
   * @returns the path of the page
   */
  write(seed: number, heading: string): string {
    mkdirSync(findingsFolder, { recursive: true });
    const path = join(findingsFolder, `findings-${seed}.md`);
    const sections = this.list().map((each, number) => section(each.finding, each.count, `${seed}-${number + 1}`));
    writeFileSync(path, `# ${heading}\n\n${sections.join("\n")}`);
    return path;
  }
}

function section({ key, problem, detail, attack, index }: Finding, count: number, name: string): string {
  const lines = [
    `## ${key}`,
    "",
    `${problem}, ${count} times, first with request ${index}.`,
    "",
    "```",
    detail,
    "```",
    "",
  ];
  if (attack !== undefined) lines.push("```sh", reproduction(attack, name), "```", "");
  return lines.join("\n");
}

/** A command line that sends the attack to `$URL`, e.g. `URL=http://127.0.0.1:8080`. */
export function reproduction(attack: Attack, name: string): string {
  if (attack.transport === "http") return curlLine(attack, name);
  const file = keep(name, Buffer.concat(attack.pieces));
  const cut =
    attack.pieces.length > 1 ? ` # first ${attack.pieces[0]?.length} bytes, ${attack.pause} ms, then the rest` : "";
  const end = attack.ending === "half-close" ? "-N " : "";
  if (attack.transport === "raw") return `nc ${end}127.0.0.1 "$PORT" < ${file} # then ${attack.ending}${cut}`;
  const how = attack.handshake === "certificate" ? "-cert member.pem -key member.key " : "";
  if (attack.handshake === "none") return `nc ${end}127.0.0.1 "$TLS_PORT" < ${file} # then ${attack.ending}${cut}`;
  return `openssl s_client -quiet ${how}-connect 127.0.0.1:"$TLS_PORT" < ${file} # then ${attack.ending}${cut}`;
}

function curlLine(attack: HttpAttack, name: string): string {
  const words = ["curl", "-sS", "-i", "--path-as-is", "-X", attack.method];
  for (const [header, value] of Object.entries(attack.headers)) words.push("-H", quoted(`${header}: ${value}`));
  const { body } = attack;
  const target = targetOf(attack);
  if (body !== undefined) {
    const text = body.toString();
    const isShort =
      body.length < 600 && Buffer.from(text).equals(body) && !/[\0-\x1f]/.test(text) && !text.startsWith("@");
    words.push("--data-binary", isShort ? quoted(text) : `@${keep(name, body)}`);
  }
  if (target.length < 20_000) words.push(`"$URL"${quoted(target)}`);
  else words.push("--config", keep(`${name}-url`, Buffer.from(`url = "http://127.0.0.1:8080${target}"\n`)));
  return words.join(" ");
}

function keep(name: string, bytes: Buffer): string {
  mkdirSync(findingsFolder, { recursive: true });
  const path = join(findingsFolder, `request-${name}.bin`);
  writeFileSync(path, bytes);
  return relative(root, path);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
