import { messageOf } from "#storage/errors.ts";
import { DivideByZero } from "#storage/metrics/families/population.ts";
import type { AttributeValue, MBean, MBeans, NamedBean } from "../mbean.ts";
import { canonicalName, isPattern, nameMatcher } from "../object-name.ts";
import { JolokiaFailure } from "./failure.ts";
import { type Attributes, type JolokiaRequest, nameText } from "./request.ts";
import { atPath, limited, lostOnPath, type NameLevels } from "./value.ts";

export type ReadRequest = Extract<JolokiaRequest, { type: "read" }>;

/**
 * Values of attributes (`reference/metrics.md §3`).
 * @throws JolokiaFailure
 */
export async function read(beans: MBeans, request: ReadRequest): Promise<AttributeValue> {
  if (isPattern(request.name)) return limited(await readPattern(beans, request), request.options);
  const bean = beans.find(canonicalName(request.name));
  if (bean === undefined) throw new JolokiaFailure("no-instance", canonicalName(request.name));
  const { names, single } = request.attributes;
  const value =
    single && names[0] !== undefined
      ? await attributeOf(bean, names[0])
      : await attributesOf(bean, request.attributes, request);
  return limited(followed(value, request, single ? 0 : 1), request.options);
}

async function readPattern(beans: MBeans, request: ReadRequest): Promise<AttributeValue> {
  const matches = nameMatcher(request.name);
  const found = beans.all().filter(([, bean]) => matches(bean.name));
  if (found.length === 0) {
    const pattern = canonicalName(request.name);
    throw new JolokiaFailure("no-instance", `No MBean with pattern ${pattern} found for reading attributes`);
  }
  const { names } = request.attributes;
  const values: [string, AttributeValue][] = [];
  for (const [, bean] of found) {
    const present = names.filter((name) => bean.attributes.has(name));
    if (names.length > 0 && present.length === 0) continue;
    const attributes = { names: present, single: false };
    values.push([nameText(bean.name, request.options), await attributesOf(bean, attributes, request)]);
  }
  if (values.length === 0) throw nothingMatches(names, found);
  return followed(Object.fromEntries(values), request, 2);
}

function nothingMatches(names: readonly string[], found: readonly NamedBean[]): JolokiaFailure {
  const beans = found.map(([name]) => name).join(", ");
  return new JolokiaFailure("argument", `No matching attributes [${names.join(", ")}] found on MBeans [${beans}]`);
}

/** Where the request's path leads from the value. */
function followed(value: AttributeValue, { path, name }: ReadRequest, names: NameLevels): AttributeValue {
  if (path === undefined) return value;
  const found = atPath(value, path);
  if (found !== undefined) return found;
  if (!path.includes(undefined)) throw lostOnPath(value, path, names);
  // Of a pattern's answer a path may also begin below the attribute's name, which the request has given already.
  return (isPattern(name) ? atPath(value, [undefined, ...path]) : undefined) ?? null;
}

async function attributesOf(bean: MBean, { names }: Attributes, { options }: ReadRequest): Promise<AttributeValue> {
  const wanted = names.length === 0 ? [...bean.attributes.keys()] : names;
  const values: [string, AttributeValue][] = [];
  for (const name of wanted) {
    try {
      values.push([name, await attributeOf(bean, name)]);
    } catch (error) {
      if (!options.ignoreErrors || !(error instanceof JolokiaFailure)) throw error;
      values.push([name, `ERROR: ${error.message} (class ${error.className})`]);
    }
  }
  return Object.fromEntries(values);
}

async function attributeOf(bean: MBean, name: string): Promise<AttributeValue> {
  const attribute = bean.attributes.get(name);
  if (attribute === undefined) throw new JolokiaFailure("no-attribute", `No such attribute: ${name}`);
  try {
    return await attribute.read();
  } catch (error) {
    const kind = error instanceof DivideByZero ? "arithmetic" : "fault";
    throw new JolokiaFailure(kind, messageOf(error), { cause: error });
  }
}
