/** What waits, each in the turn of whom it is for: the many things of one keep the few of another waiting for one each. */
export class Turns<Item> {
  /** By whom they are for, whose turn is next first; nobody without a thing is in it. */
  readonly #waiting = new Map<string, Item[]>();

  /** @param whose who takes turns with the others */
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

  /** Of each that something waits for: how many things, and how many of others are taken before the first. */
  places(): { readonly whose: string; readonly waiting: number; readonly before: number }[] {
    return [...this.#waiting].map(([whose, items], i) => ({ whose, waiting: items.length, before: i }));
  }

  get size(): number {
    return [...this.#waiting.values()].reduce((sum, items) => sum + items.length, 0);
  }
}
