import { textual, type Kind } from "./kind.ts";

/** A server that is followed. */
export interface OriginAddress {
  /** What it is called here: what is before `=`, else its host, with its port where two have the same host. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
}

/** Addresses of servers that are followed, separated by white space, each with a name before `=` or without. */
export const originAddresses: Kind<readonly OriginAddress[]> = textual(
  {
    name: "URLs",
    expects: "URLs with spaces between, such as https://pdb:8081 or eu=https://pdb-eu:8081",
    hint: "URL",
  },
  (text) => {
    const addresses = text.split(/\s+/).filter(Boolean).map(readAddress);
    const named = addresses.map((address) => address && nameOf(address, addresses));
    const isValid = named.length > 0 && named.every((address) => address !== undefined);
    return isValid && new Set(named.map(({ name }) => name)).size === named.length ? named : undefined;
  },
  (origins) => origins.map(({ name, url }) => `${name}=${url}`).join(" "),
);

interface Address {
  readonly name: string | undefined;
  readonly url: URL;
}

function readAddress(text: string): Address | undefined {
  const { name, address = "" } = /^(?:(?<name>[\w.-]+)=)?(?<address>https?:.*)$/.exec(text)?.groups ?? {};
  const url = URL.parse(address);
  return url === null || url.username !== "" || url.search !== "" || url.hash !== "" ? undefined : { name, url };
}

function nameOf({ name, url }: Address, all: readonly (Address | undefined)[]): OriginAddress {
  const isAlone = all.filter((other) => other?.name === undefined && other?.url.hostname === url.hostname).length <= 1;
  return { name: name ?? (isAlone ? url.hostname : url.host), url: url.href.replace(/\/+$/, "") };
}
