/** Begins the message of an error that a statement raises because of what was asked, not because of a fault. */
export const clientErrorMark = "census-query: ";
