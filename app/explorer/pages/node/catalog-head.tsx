import type { JSX } from "preact";
import { useQuery } from "../data/use-query.ts";
import { CopyButton } from "../frame/dialog.tsx";
import { query } from "../pql/text.ts";
import { Age } from "../time/age.tsx";
import { Text } from "../value/value.tsx";

interface CatalogRow {
  readonly version: string | null;
  readonly code_id: string | null;
  readonly catalog_uuid: string | null;
  readonly transaction_uuid: string | null;
  readonly producer: string | null;
  readonly producer_timestamp: string | null;
  readonly environment: string | null;
  readonly hash: string | null;
}

const columns: readonly (keyof CatalogRow)[] = [
  "version",
  "code_id",
  "catalog_uuid",
  "transaction_uuid",
  "producer",
  "producer_timestamp",
  "environment",
  "hash",
];

const identifiers: readonly (readonly [key: keyof CatalogRow, label: string])[] = [
  ["version", "version"],
  ["code_id", "code id"],
  ["catalog_uuid", "catalog uuid"],
  ["transaction_uuid", "transaction uuid"],
  ["hash", "hash"],
];

/** When and from what a catalog was compiled. @param where the node */
export function CatalogHead({ where }: { readonly where: string }): JSX.Element | null {
  const loaded = useQuery<CatalogRow>({ name: "The catalog", pql: query("catalogs", { select: columns, where }) });
  const catalog = loaded.value?.[0];
  if (catalog === undefined) return null;
  return (
    <p class="catalog-head">
      <span>
        Compiled <Age time={catalog.producer_timestamp} />
        {catalog.producer === null ? null : (
          <>
            {" "}
            by <Text text={catalog.producer} />
          </>
        )}
        {catalog.environment === null ? null : (
          <>
            {" "}
            in <Text text={catalog.environment} />
          </>
        )}
      </span>
      {identifiers.map(([key, label]) => {
        const value = catalog[key];
        return value === null ? null : (
          <CopyButton key={key} class="plain" text={value}>
            <span class="visually-hidden">Copy the </span>
            {label}{" "}
            <span class="mono">
              <Text text={value.length > 12 ? `${value.slice(0, 8)}…` : value} />
            </span>
          </CopyButton>
        );
      })}
    </p>
  );
}
