/** How the engine compresses columns that it does not choose for itself (`storage/schema/migrations/014-compression.ts`), by table. */
export const columnCompressions: Readonly<Record<string, Readonly<Record<string, "uncompressed" | "zstd">>>> = {
  resources: { hash: "uncompressed", title: "uncompressed", parameters: "zstd" },
  resource_parameters: { value: "zstd" },
  failures: { message: "zstd" },
  reports: { metrics: "zstd", logs: "zstd", resources: "zstd" },
};
