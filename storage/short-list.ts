/** Sorts a list in place that is usually short: an object's keys. Equal elements keep their order. */
export function sortShort<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  // The language's own sort costs a kilobyte and a microsecond to start.
  if (list.length > 16) return list.sort(compare);
  for (let next = 1; next < list.length; next++) {
    const element = list[next] as T;
    let place = next;
    for (; place > 0 && compare(list[place - 1] as T, element) > 0; place--) list[place] = list[place - 1] as T;
    list[place] = element;
  }
  return list;
}
