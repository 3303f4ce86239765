import type { Replacer } from "./replacer.ts";

/** A reference to a resource. */
const REFERENCE = /^([A-Z][\w:]*)\[(.*)\]$/s;
/** A part of the path of a log line: a reference, or a text without slashes and brackets. */
const PART = /\/(?:([A-Z][\w:]*)\[(.*?)\](?=\/|$)|([^/[\]]*))/gsy;
/** A property's name, where a path ends in one. */
const PROPERTY = /^[a-z_]\w*$/;
const TYPE = /^[A-Z]\w*$/;

/** `Type[title]`, each half by its own rules; any other text is treated as a title of `otherwise`. */
export function reference(text: string, to: Replacer, otherwise: string): string {
  const [, type, title] = REFERENCE.exec(text) ?? [];
  return type === undefined || title === undefined ? to.text("title", text, otherwise) : resource(type, title, to);
}

/** An element of a containment path: a reference, a class by its bare title, or nothing. */
export function container(text: string, to: Replacer): string {
  return text === "" ? "" : reference(text, to, "Class");
}

/**
 * The source of a log line: a word such as `Puppet`, a reference, or the path of a resource and a property
 * (`/Stage[main]/Ntp/File[/etc/ntp.conf]/content`). The titles in it follow the rules for titles; a text that cannot be
 * split is treated as one title.
 */
export function logSource(text: string, to: Replacer): string {
  if (TYPE.test(text)) return to.text("type", text, text);
  if (!text.startsWith("/")) return reference(text, to, "");
  const parts = [...text.matchAll(PART)];
  if (parts.reduce((length, [part]) => length + part.length, 0) < text.length) return to.text("title", text);
  return parts
    .map(([, type, title, bare = ""], index) => {
      if (type !== undefined && title !== undefined) return `/${resource(type, title, to)}`;
      const isLast = index === parts.length - 1 && index > 0;
      return `/${isLast && PROPERTY.test(bare) ? to.text("parameter-name", bare) : container(bare, to)}`;
    })
    .join("");
}

function resource(type: string, title: string, to: Replacer): string {
  return `${to.text("type", type, type)}[${to.text("title", title, type)}]`;
}
