/**
 * How far the queue on disk has been dealt with, noted in the same transaction as what its commands brought, so that after
 * a crash none is lost and none is done twice. One row; `queue` is the identity of the queue it is about.
 */
export const queueProgress = {
  version: 2,
  name: "queue progress",
  statements: [`CREATE TABLE queue_progress (queue VARCHAR NOT NULL, applied BIGINT NOT NULL)`],
} as const;
