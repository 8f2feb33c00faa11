/** The element at a place, which a test knows to be there. @throws Error when it is not, or the list is empty */
export function elementAt<Element>(list: ArrayLike<Element>, index: number): Element {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no element ${index} of ${list.length}.`);
  return found;
}
