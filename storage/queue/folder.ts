/** The folder of the queue in a data directory. */
export const queueFolder = "queue";
