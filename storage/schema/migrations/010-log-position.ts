/**
 * Which command is the last one that is stored of a log that several processes follow: a log that was restored to an earlier
 * state may have another command with the same number. NULL for the queue on disk.
 */
export const logPosition = {
  version: 10,
  name: "log position",
  statements: ["ALTER TABLE queue_progress ADD COLUMN mark VARCHAR"],
} as const;
