/**
 * How far the queue on disk has been stored, written in the same transaction as the rows of its commands, so that after
 * a crash none is lost or stored twice. One row; `queue` is the identity of the queue.
 */
export const queueProgress = {
  version: 2,
  name: "queue progress",
  statements: [`CREATE TABLE queue_progress (queue VARCHAR NOT NULL, applied BIGINT NOT NULL)`],
} as const;
