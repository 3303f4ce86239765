import type { Attack, HttpAttack, Parameter } from "./attack.ts";

/** Whether an attack still does what is looked for. */
export type Test = (attack: Attack) => Promise<boolean>;

/**
 * Makes an attack smaller for as long as it still does the same: fewer parameters and headers, then smaller values, as
 * JSON where they are JSON and as text otherwise.
 * @param budget how many attacks may be tried
 */
export async function shrink(attack: Attack, test: Test, budget: number): Promise<Attack> {
  let left = budget;
  const holds: Test = async (smaller) => left-- > 0 && test(smaller);
  if (attack.transport !== "http") return shrinkPieces(attack, holds);
  let best = await fewer(attack, holds);
  for (const [index, [name, value]] of best.parameters.entries()) {
    const put = (text: string): HttpAttack => withParameter(best, index, [name, text]);
    best = put(await smallerText(value, (text) => holds(put(text))));
  }
  const { body } = best;
  if (body === undefined || body.length > 200_000 || !isText(body)) return best;
  const put = (text: string): HttpAttack => ({ ...best, body: Buffer.from(text) });
  return put(await smallerText(body.toString(), (text) => holds(put(text))));
}

async function shrinkPieces(attack: Exclude<Attack, HttpAttack>, holds: Test): Promise<Attack> {
  const put = (text: string): Attack => ({ ...attack, pieces: [Buffer.from(text, "latin1")], pause: 0 });
  const whole = Buffer.concat(attack.pieces).toString("latin1");
  if (whole.length > 20_000 || !(await holds(put(whole)))) return attack;
  return put(await smallerString(whole, (text) => holds(put(text))));
}

function isText(body: Buffer): boolean {
  return Buffer.from(body.toString()).equals(body);
}

function withParameter(attack: HttpAttack, index: number, parameter: Parameter): HttpAttack {
  return { ...attack, parameters: attack.parameters.with(index, parameter) };
}

async function fewer(attack: HttpAttack, holds: Test): Promise<HttpAttack> {
  let best = attack;
  for (const header of Object.keys(attack.headers)) {
    const headers = Object.fromEntries(Object.entries(best.headers).filter(([name]) => name !== header));
    const smaller = { ...best, headers };
    if (await holds(smaller)) best = smaller;
  }
  for (const parameter of attack.parameters) {
    const smaller = { ...best, parameters: best.parameters.filter((each) => each !== parameter) };
    if (await holds(smaller)) best = smaller;
  }
  return best;
}

type Holds = (text: string) => Promise<boolean>;

async function smallerText(text: string, holds: Holds): Promise<string> {
  const value = jsonOf(text);
  if (value === undefined || text !== JSON.stringify(value)) return smallerString(text, holds);
  return JSON.stringify(await smallerJson(value, async (smaller) => holds(JSON.stringify(smaller))));
}

/** Deeper values would need more stack than there is. */
const DEEPEST = 500;

function jsonOf(text: string): unknown {
  if (Math.max(text.split("[").length, text.split("{").length) > DEEPEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Leaves out characters, half of the text at a time, then a quarter, down to one. */
async function smallerString(text: string, holds: Holds): Promise<string> {
  let best = text;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length;) {
      const smaller = best.slice(0, at) + best.slice(at + size);
      if (smaller !== best && (await holds(smaller))) best = smaller;
      else at += size;
    }
  }
  return best;
}

/** Puts a member in its parent's place, leaves members out, and makes texts and numbers small. */
async function smallerJson(value: unknown, holds: (value: unknown) => Promise<boolean>): Promise<unknown> {
  let best = value;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of candidatesOf(best)) {
      if (!(await holds(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* candidatesOf(value: unknown): Generator {
  if (Array.isArray(value)) {
    if (value.length > 8) {
      yield value.slice(0, value.length >> 1);
      yield value.slice(value.length >> 1);
    }
    for (const member of value) if (typeof member === "object" && member !== null) yield member;
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, member] of value.entries())
      for (const smaller of candidatesOf(member)) yield value.with(index, smaller);
  } else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      const { [key]: member, ...others } = value as Record<string, unknown>;
      yield others;
      for (const smaller of candidatesOf(member)) yield { ...others, [key]: smaller };
    }
  } else if (typeof value === "string" && value.length > 3) {
    yield value.slice(0, value.length >> 1);
    yield value.slice(value.length >> 1);
  }
}
