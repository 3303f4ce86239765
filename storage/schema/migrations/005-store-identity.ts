/** Tells a store from any other, whatever its file is called: what is noted outside of the engine is about this one. */
export const storeIdentity = {
  version: 5,
  name: "store identity",
  statements: [
    "CREATE TABLE store_identity (id VARCHAR NOT NULL)",
    "INSERT INTO store_identity SELECT uuid()::VARCHAR",
  ],
} as const;
