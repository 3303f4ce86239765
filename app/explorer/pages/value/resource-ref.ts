/** A resource by type and title. */
export interface ResourceRef {
  readonly type: string;
  readonly title: string;
}

/** `File[/etc/motd]` */
export function refText({ type, title }: ResourceRef): string {
  return `${type}[${title}]`;
}

/** Reads `File[/etc/motd]`; undefined when it is anything else. */
export function parseRef(text: string): ResourceRef | undefined {
  const [, type, title] = /^([A-Z]\w*(?:::[A-Z]\w*)*)\[([\s\S]*)\]$/.exec(text) ?? [];
  return type === undefined || title === undefined ? undefined : { type, title };
}

/** Where a log line comes from. */
export interface SourcePath {
  readonly resource: ResourceRef;
  readonly property: string | undefined;
}

/** A resource or class that ends a path or is followed by the next part. */
const PART = /\/(?:([A-Z]\w*(?:::[A-Z]\w*)*)(?:\[([\s\S]*?)\])?|([a-z]\w*))(?=\/[A-Za-z]|$)/y;

/**
 * The resource and property that the source of a log line names: `/Stage[main]/Motd/File[/etc/motd]/content`. Titles may contain
 * slashes and brackets. @returns undefined for other sources, such as `Puppet`
 */
export function parseSource(source: string): SourcePath | undefined {
  let resource: ResourceRef | undefined;
  let property: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < source.length) {
    const [, type, title, name] = PART.exec(source) ?? [];
    if (property !== undefined || (type === undefined && name === undefined)) return undefined;
    if (type === undefined) property = name;
    else resource = title === undefined ? { type: "Class", title: type } : { type, title };
  }
  return resource === undefined ? undefined : { resource, property };
}
