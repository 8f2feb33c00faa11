/** Waiting items, in turns of their owners: an owner with many items does not delay the few items of another. */
export class Turns<Item> {
  /** Items by owner, the owner of the next turn first; only owners with items are in it. */
  readonly #waiting = new Map<string, Item[]>();

  /** @param whose owner of the item, who takes turns with the others */
  add(whose: string, item: Item): void {
    this.#waiting.set(whose, [...(this.#waiting.get(whose) ?? []), item]);
  }

  /** Takes the next one out; null when nothing waits. */
  next(): Item | null {
    for (const [whose, [item, ...rest]] of this.#waiting) {
      this.#waiting.delete(whose);
      if (rest.length > 0) this.#waiting.set(whose, rest);
      return item ?? null;
    }
    return null;
  }

  /** Takes one out before its turn. @returns false when it is not waiting any more */
  remove(item: Item): boolean {
    for (const [whose, items] of this.#waiting) {
      if (!items.includes(item)) continue;
      const rest = items.filter((other) => other !== item);
      if (rest.length > 0) this.#waiting.set(whose, rest);
      else this.#waiting.delete(whose);
      return true;
    }
    return false;
  }

  /** For each owner with waiting items: their number, and the number of other owners' items before the first one. */
  places(): { readonly whose: string; readonly waiting: number; readonly before: number }[] {
    return [...this.#waiting].map(([whose, items], i) => ({ whose, waiting: items.length, before: i }));
  }

  get size(): number {
    return [...this.#waiting.values()].reduce((sum, items) => sum + items.length, 0);
  }
}
