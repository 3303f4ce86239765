import { useParameter } from "./address.ts";
import { text } from "./codecs.ts";

const codec = text();

/** The environment that pages are limited to; undefined: all. */
export function useEnvironment(): string | undefined {
  const [name] = useParameter("env", codec);
  return name === "" ? undefined : name;
}
