/**
 * What comes first is a name; behind dots come names, indexes and parts in quotes. PQL has no escapes in a part: it ends at
 * the first quote that a dot or white space follows, and has no line breaks.
 */
const FIELD = /^[A-Za-z_]\w*\??(?:\.(?:[\w-]+|"(?:[^"\n\r\u0085\u2028\u2029]|"(?![. \t\v\f]|$))*"))*$/;

/** Whether a text spells a field in PQL: `certname`, `facts.mountpoints."/".size_bytes`. */
export function isField(text: string): boolean {
  return FIELD.test(text);
}
