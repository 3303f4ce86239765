import { each, kept, record, text, time, tuple, uuid } from "./walk.ts";

/** `configure expiration` 1. */
export const expiration = record({
  certname: text("node"),
  expire: record({ facts: kept }),
  producer_timestamp: time,
});

/** `replace catalog inputs` 1. */
export const catalogInputs = record({
  certname: text("node"),
  producer_timestamp: time,
  catalog_uuid: uuid,
  inputs: each(tuple(text("catalog-input-type"), text("catalog-input-value"))),
});
