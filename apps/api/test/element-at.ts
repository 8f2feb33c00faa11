/** The element at a place of a list. @throws Error when it does not exist */
export function elementAt<Element>(list: ArrayLike<Element>, index: number): Element {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no element ${index} of ${list.length}.`);
  return found;
}
