/** Whether an argument is the address of a server that can be followed, with a name before it or without. */
export function isOrigin(word: string): boolean {
  return /^(?:[\w.-]+=)?https?:\/\//i.test(word);
}
