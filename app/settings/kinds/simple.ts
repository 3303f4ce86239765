import { resolve } from "node:path";
import { type Kind, textual } from "./kind.ts";

/** `true` or `false`. */
export const truth: Kind<boolean> = textual(
  { name: "boolean", expects: "true or false", hint: "", words: ["true", "false"] },
  (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined),
);

/** The address of a log that several servers share; its password is not printed. Its setting says what is wrong with it. */
export const logAddress: Kind<string> = textual(
  {
    name: "address",
    expects: "postgresql://USER@HOST:PORT/DATABASE",
    hint: "URL",
  },
  (text) => (/^(?:postgres(?:ql)?|nats|tls):\/\//.test(text) ? text : undefined),
  (text) => text.replace(/(\w+:\/\/[^:@/\s]*):[^@/\s]*@/g, "$1:…@"),
);

/** A file; the program gets an absolute path. */
export const path: Kind<string> = textual({ name: "path", expects: "the path of a file", hint: "PATH" }, (text, base) =>
  text === "" ? undefined : resolve(base, text),
);

/** The same for the path of a folder. */
export const folder: Kind<string> = { ...path, name: "directory", expects: "the path of a directory", hint: "DIR" };

/** A name or an address to listen on. */
export const host: Kind<string> = textual(
  { name: "host", expects: "a host name or an address, e.g. 127.0.0.1, ::1 or 0.0.0.0", hint: "ADDRESS" },
  (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
);

/** A TCP port. */
export const port: Kind<number> = textual({ name: "port", expects: "a number from 0 to 65535", hint: "N" }, (text) =>
  within(text, 0, 65_535),
);

/** A number of bytes, above 0. */
export const bytes: Kind<number> = textual(
  { name: "bytes", expects: "a whole number of bytes above 0, e.g. 33554432", hint: "BYTES" },
  (text) => within(text, 1),
);

/** Any text but an empty one. */
export const words: Kind<string> = textual({ name: "text", expects: "a text", hint: "TEXT" }, (text) =>
  text.trim() === "" ? undefined : text.trim(),
);

/** The address of a web site. */
export const address: Kind<string> = textual(
  { name: "address", expects: "an address that begins with https://", hint: "URL" },
  (text) => (URL.parse(text)?.protocol === "https:" ? text : undefined),
);

/** How many of something. */
export function count(least: 0 | 1): Kind<number> {
  const about =
    least === 0
      ? { name: "number", expects: "a whole number, 0 or more" }
      : { name: "number above 0", expects: "a whole number above 0" };
  return textual({ ...about, hint: "N" }, (text) => within(text, least));
}

/** One of a few texts, in any case. */
export function oneOf<const W extends string>(...words: readonly W[]): Kind<W> {
  return textual({ name: "word", expects: `one of ${words.join(", ")}`, hint: words.join("|"), words }, (text) =>
    words.find((word) => word === text.toLowerCase()),
  );
}

/** Texts with commas between them; in HOCON and JSON a list as well. */
export const list: Kind<readonly string[]> = {
  name: "list",
  expects: "a comma-separated list",
  hint: "A,B,…",
  read: (raw) =>
    (typeof raw === "string" ? raw.split(",") : raw).map((item) => item.trim()).filter((item) => item !== ""),
  print: (items) => items.join(", "),
};

function within(text: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}
