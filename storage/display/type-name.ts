/** The name of a type or a class as catalogs have it, every part capitalized: `profile::base` is `Profile::Base`. */
export function typeName(text: string): string {
  return text.replace(/(^|::)([a-z])/g, (_, colons: string, letter: string) => colons + letter.toUpperCase());
}
