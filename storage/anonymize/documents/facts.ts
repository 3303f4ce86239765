import { isNumber, isObject, type Json } from "../../json.ts";
import { HOST_NAME_FACTS } from "../known-words.ts";
import { deeper, mapObject, type Replacer } from "../replacer.ts";
import { each, record, text, time, tuple, unexpected, type Walk } from "./walk.ts";

/** The fact with the same meaning as packages and their versions. */
const PACKAGES = "package_inventory";

/**
 * Facts: keys are names of facts at every depth, and the nearest name decides about a value. If a name requires that
 * its value is hidden, everything inside is hidden, whatever the names there.
 */
const values: Walk = (value, to) => (isObject(value) ? inside(value, to, "", 0) : unexpected(value, to));

function inside(value: Json, to: Replacer, name: string, depth: number): Json {
  if (isObject(value)) {
    const level = deeper(depth);
    return mapObject(
      value,
      (key) => to.text("fact-name", key, key),
      (inner, key) => {
        const isSecret = to.verdict("fact-value", key) === "secret";
        return isSecret ? secret(inner, to, level) : inside(inner, to, key, level);
      },
    );
  }
  if (to.verdict("fact-value", name) !== "kept") return to.hidden("fact-value", value, depth);
  if (Array.isArray(value)) {
    const level = deeper(depth);
    return value.map((element) => inside(element, to, name, level));
  }
  if (value === null || typeof value === "boolean" || isNumber(value)) return value;
  return HOST_NAME_FACTS.has(name) ? to.host(value) : to.kept(value);
}

/** All leaves are hidden; the names are treated as names of facts. */
function secret(value: Json, to: Replacer, depth: number): Json {
  if (!isObject(value)) return to.hidden("fact-value", value, depth);
  const level = deeper(depth);
  return mapObject(
    value,
    (key) => to.text("fact-name", key, key),
    (inner) => secret(inner, to, level),
  );
}

const packageVersion: Walk = (value, to) => inside(value, to, PACKAGES, 0);

const packageName: Walk = (value, to) => text("title")(value, to, "Package");

/** `replace facts` 5 (reference/archive.md §5.2). */
export const facts = record({
  certname: text("node"),
  producer: text("node"),
  environment: text("environment"),
  producer_timestamp: time,
  values,
  [PACKAGES]: each(tuple(packageName, packageVersion, packageVersion)),
});
