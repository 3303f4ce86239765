/** The program's version; package.json has the same, which a test holds it to. */
export const version = "0.1.0";
