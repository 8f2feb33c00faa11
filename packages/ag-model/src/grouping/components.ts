/** Sets of items that are connected by the keys they share. */

/**
 * The connected components of `items`, where two items with a key in common are connected; items without a key are alone.
 * Components and their members keep the order of `items`.
 */
export function componentsOf<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): Item[][] {
  const parent = items.map((_, i) => i);
  const rootOf = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const firstWith = new Map<string, number>();
  items.forEach((item, i) => {
    for (const key of keysOf(item)) {
      const other = firstWith.get(key);
      if (other === undefined) {
        firstWith.set(key, i);
        continue;
      }
      const [a, b] = [rootOf(i), rootOf(other)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  });
  const components = new Map<number, Item[]>();
  items.forEach((item, i) => {
    const root = rootOf(i);
    components.set(root, [...(components.get(root) ?? []), item]);
  });
  return [...components.values()];
}
