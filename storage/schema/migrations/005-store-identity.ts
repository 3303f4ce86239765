/** Distinguishes a store from any other, whatever the name of its file, for records about it outside of the engine. */
export const storeIdentity = {
  version: 5,
  name: "store identity",
  statements: [
    "CREATE TABLE store_identity (id VARCHAR NOT NULL)",
    "INSERT INTO store_identity SELECT uuid()::VARCHAR",
  ],
} as const;
