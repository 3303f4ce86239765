/**
 * Stand for classes of Node's own fetch in the packaged program, for the HTTP framework: it extends them when it is loaded,
 * which has Node load an HTTP client with all that belongs to it, and makes an object of one only where somebody asks for
 * what the framework does not have itself. Nothing of Census does.
 */

type Class = new (...given: never[]) => object;

/** What an object has, besides what is known by its class alone. */
interface Members {
  readonly methods: readonly PropertyKey[];
  readonly properties: readonly string[];
}

/** Of those that have a body. */
const body = {
  methods: ["clone", "blob", "arrayBuffer", "text", "json", "formData", "bytes"],
  properties: ["body", "bodyUsed", "headers"],
} as const satisfies Members;

/** What the objects of Node's have. */
export const members: Readonly<Record<"Headers" | "Request" | "Response", Members>> = {
  Headers: {
    methods: [
      "append",
      "delete",
      "get",
      "has",
      "set",
      "getSetCookie",
      "keys",
      "values",
      "entries",
      "forEach",
      Symbol.iterator,
    ],
    properties: [],
  },
  Request: {
    methods: body.methods,
    properties: [
      ...body.properties,
      "method",
      "url",
      "destination",
      "referrer",
      "referrerPolicy",
      "mode",
      "credentials",
      "cache",
      "redirect",
      "integrity",
      "keepalive",
      "isReloadNavigation",
      "isHistoryNavigation",
      "signal",
      "duplex",
    ],
  },
  Response: {
    methods: body.methods,
    properties: [...body.properties, "type", "url", "redirected", "status", "ok", "statusText"],
  },
};

/** The class of this name that is Node's; it is loaded when it is first asked for. */
function own(name: string): Class {
  return Reflect.get(globalThis, name) as Class;
}

/** Whether something is an object of a stand-in, or of the class that it stands for. To look at that one would load it. */
function isOf(name: string, { prototype }: { readonly prototype: object }, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.prototype.isPrototypeOf.call(prototype, value)) return true;
  return Object.prototype.toString.call(value) === `[object ${name}]` && value instanceof own(name);
}

/** A class whose objects make one of Node's when something is asked of them, and ask that. */
function standIn(name: keyof typeof members): Class {
  class StandIn {
    readonly #given: never[];
    #own: object | undefined;

    constructor(...given: never[]) {
      this.#given = given;
    }

    static [Symbol.hasInstance](value: unknown): boolean {
      return isOf(name, this, value);
    }

    static ownOf(object: StandIn): object {
      return (object.#own ??= new (own(name))(...object.#given));
    }
  }
  const { methods, properties } = members[name];
  for (const key of methods) {
    const value = function (this: StandIn, ...given: unknown[]): unknown {
      const object = StandIn.ownOf(this);
      return (Reflect.get(object, key) as (...given: unknown[]) => unknown).apply(object, given);
    };
    Object.defineProperty(StandIn.prototype, key, { value, writable: true, configurable: true });
  }
  for (const key of properties) {
    const get = function (this: StandIn): unknown {
      return Reflect.get(StandIn.ownOf(this), key);
    };
    Object.defineProperty(StandIn.prototype, key, { get, configurable: true });
  }
  return StandIn;
}

export const Headers: Class = standIn("Headers");
export const Request: Class = standIn("Request");
export const Response: Class = standIn("Response");

/** Nobody extends it: making one gives one of Node's. */
export class ReadableStream {
  constructor(...given: never[]) {
    // oxlint-disable-next-line no-constructor-return
    return new (own("ReadableStream"))(...given);
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return isOf("ReadableStream", this, value);
  }
}
