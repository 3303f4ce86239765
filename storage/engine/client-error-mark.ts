/** The prefix of errors that a statement raises because of the client's query rather than a defect. */
export const clientErrorMark = "census-query: ";
