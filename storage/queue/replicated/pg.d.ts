/** The part of the driver that is used here, with strict types. */
declare module "pg" {
  import type { Socket } from "node:net";
  import type { ConnectionOptions } from "node:tls";

  interface ClientConfig {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
    readonly password?: string | undefined;
    readonly ssl: false | ConnectionOptions;
    readonly application_name: string;
    readonly connectionTimeoutMillis: number;
    readonly keepAlive: boolean;
    readonly stream: () => Socket;
  }

  export class Client {
    constructor(config: ClientConfig);
    connect(): Promise<void>;
    query(query: { readonly text: string; readonly values: unknown[] }): Promise<{ readonly rows: unknown[] }>;
    end(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "notice", listener: (notice: { readonly routine?: string }) => void): this;
    on(event: "notification" | "end", listener: () => void): this;
  }
}
