import { oneServerOptions } from "./service-config.ts";

/** Options of commands that change a server. */
export const maintainOptions = {
  ...oneServerOptions,
  yes: { type: "boolean", description: "Proceed without confirmation" },
} as const;

/** The nodes that they change. */
export const nodeArgument = {
  type: "positional",
  required: true,
  description: "Certname, or its beginning up to a dot; repeatable",
} as const;
