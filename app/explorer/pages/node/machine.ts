import { isNumber, isObject, type Json, type JsonObject, numberText } from "#storage/json.ts";
import { formatBytes } from "../value/text.ts";

/** Names and texts of what is known about the machine; facts of other shapes than Facter's are left out. */
export function machineItems(facts: JsonObject): readonly (readonly [name: string, text: string])[] {
  const text = (...path: readonly string[]): string | undefined => {
    const value = valueAt(facts, path);
    if (isNumber(value ?? null)) return numberText(value as number);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const bytes = text("memory", "system", "total_bytes");
  const processors = text("processors", "count");
  const virtual = text("virtual");
  const items: (readonly [string, string | undefined])[] = [
    ["OS", joined(text("os", "name"), text("os", "release", "full"))],
    ["Kernel", joined(text("kernelrelease"), text("os", "architecture"))],
    ["Addresses", joined(text("networking", "ip"), text("networking", "ip6"))],
    ["Host name", text("networking", "fqdn") ?? text("networking", "hostname")],
    ["Processors", joined(processors, text("processors", "models", "0"))],
    ["Memory", bytes === undefined ? text("memory", "system", "total") : formatBytes(Number(bytes))],
    ["Virtual", virtual === "physical" ? "no, physical" : virtual],
    ["Uptime", text("system_uptime", "uptime")],
    ["Time zone", text("timezone")],
  ];
  return items.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path) {
    if (Array.isArray(found)) found = found[Number(part)];
    else found = found !== undefined && isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? undefined : known.join(" · ");
}
