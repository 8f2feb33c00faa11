/**
 * Databases of a run that clients show alone: each needs time of the picture's thread while it is shown, and no longer.
 */
import { problem } from "@aglens/engine/problems";

/** With more databases at once, the picture of all would be late. */
const MOST_DATABASES = 8;

export class WatchedDatabases {
  /** Number of clients for each database. */
  readonly #counts = new Map<string, number>();
  readonly #onChange: (database: string, isWatched: boolean) => void;

  /** @param onChange called when the first begins to look at a database, and when the last has stopped */
  constructor(onChange: (database: string, isWatched: boolean) => void) {
    this.#onChange = onChange;
  }

  /** @param database null: all of them @throws ProblemError when no more can be looked at alone */
  expectRoomFor(database: string | null): void {
    if (database === null || this.#counts.has(database) || this.#counts.size < MOST_DATABASES) return;
    throw problem(
      "live-too-many-databases",
      `${MOST_DATABASES} databases of this run are looked at one by one already. Look at all of them, or at one of those.`,
    );
  }

  /** A client begins to show one database alone, or all of them (null). @throws ProblemError */
  begin(database: string | null): void {
    this.expectRoomFor(database);
    if (database === null) return;
    const count = this.#counts.get(database) ?? 0;
    this.#counts.set(database, count + 1);
    if (count === 0) this.#onChange(database, true);
  }

  end(database: string | null): void {
    if (database === null) return;
    const count = (this.#counts.get(database) ?? 0) - 1;
    if (count > 0) {
      this.#counts.set(database, count);
    } else if (this.#counts.delete(database)) {
      this.#onChange(database, false);
    }
  }
}
