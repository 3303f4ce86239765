import type { AttributeValue, MBean, MBeans } from "../mbean.ts";
import { canonicalName, isPattern, MalformedName, parseObjectName, propertyList } from "../object-name.ts";
import { JolokiaFailure } from "./failure.ts";
import type { ProcessingOptions } from "./options.ts";
import { joinPath, type PathPart } from "./path.ts";
import type { JolokiaRequest } from "./request.ts";

type Listed = { [key: string]: AttributeValue };

/** The parts of an MBean's description; a path may select one of them (`reference/metrics.md §3`). */
const parts: Readonly<Record<string, (bean: MBean) => Listed | string>> = {
  op: ({ operations }) =>
    Object.fromEntries(
      [...operations].map(([name, { returns, description }]) => [name, { args: [], ret: returns, desc: description }]),
    ),
  attr: ({ attributes }) =>
    Object.fromEntries(
      [...attributes].map(([name, { type, description }]) => [name, { rw: false, type, desc: description }]),
    ),
  not: () => ({}),
  class: ({ className }) => className,
  desc: ({ description }) => description,
};

/**
 * What there is: domain → key properties → description.
 * @throws JolokiaFailure
 */
export function list(beans: MBeans, { path = [], options }: JolokiaRequest): AttributeValue {
  const [domain, properties, part, name, ...more] = path;
  const value =
    domain === undefined
      ? everything(beans, options)
      : properties === undefined
        ? domainOf(beans, domain, options)
        : describe(beanAt(beans, domain, properties, path), part, name, more);
  return options.maxDepth === 0 ? value : truncated(value, options.maxDepth);
}

function everything(beans: MBeans, { canonicalNaming }: ProcessingOptions): { [domain: string]: Listed } {
  const domains: { [domain: string]: Listed } = {};
  for (const [, bean] of beans.all()) {
    const domain = (domains[bean.name.domain] ??= {});
    domain[propertyList(bean.name, canonicalNaming)] = description(bean);
  }
  return domains;
}

function domainOf(beans: MBeans, domain: string, options: ProcessingOptions): Listed {
  const domains = everything(beans, options);
  return Object.hasOwn(domains, domain) ? (domains[domain] ?? {}) : {};
}

/** Empty parts are omitted. */
function description(bean: MBean): Listed {
  const described = Object.entries(parts).map(([key, of]) => [key, of(bean)] as const);
  return Object.fromEntries(described.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: AttributeValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function beanAt(beans: MBeans, domain: string, properties: string, path: readonly PathPart[]): MBean {
  try {
    const name = parseObjectName(`${domain}:${properties}`);
    if (isPattern(name)) {
      const shown = canonicalName(name);
      throw new JolokiaFailure("argument", `Cannot use an MBean pattern as path (given MBean: ${shown})`);
    }
    const bean = beans.find(canonicalName(name));
    if (bean === undefined) throw new JolokiaFailure("argument", `No MBean '${domain}:${properties}' found`);
    return bean;
  } catch (error) {
    if (!(error instanceof MalformedName)) throw error;
    const message = `Invalid path within the MBean part given. (Path: ${joinPath(path)})`;
    throw new JolokiaFailure("argument", message, { cause: error });
  }
}

function describe(bean: MBean, part: PathPart, name: PathPart, more: readonly PathPart[]): AttributeValue {
  if (part === undefined) return description(bean);
  const of = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (of === undefined) throw new JolokiaFailure("argument", `Illegal path element ${part}`);
  const value = of(bean);
  const extra = typeof value === "string" ? [name, ...more].filter((each) => each !== undefined) : more;
  if (extra.length > 0) {
    const message = `Path contains extra elements not usable for a list request: [${extra.join(", ")}]`;
    throw new JolokiaFailure("argument", message);
  }
  if (name === undefined || typeof value === "string") return value;
  const member = value[name];
  if (member === undefined) throw new JolokiaFailure("argument", "Path given but extracted value is empty");
  return member;
}

/** Deeper values are replaced by a 1, as text. */
function truncated(value: AttributeValue, depth: number): AttributeValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  if (depth === 0) return "1";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, truncated(inner, depth - 1)]));
}
