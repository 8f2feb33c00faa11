/** Share of busy time of threads within the last minute, by the kind of their work. */

export type ThreadWork = "main" | "analysis" | "answers" | "files";

/** One thread; `shares` has the share of each cell's time that it worked, oldest cell first. */
export interface BusyThread {
  readonly work: ThreadWork;
  /** From 1, among those of the same work. */
  readonly number: number;
  readonly shares: readonly number[];
}

/** Length of a cell, ms. */
export const CELL_MS = 500;
/** Cells that are kept: a minute. */
export const CELLS = 120;

interface Lane {
  readonly work: ThreadWork;
  readonly number: number;
  /** ms of work by the number of the cell, counted from 1970. */
  readonly cells: Map<number, number>;
  /** Start of the present work, ms; null without work. */
  since: number | null;
}

export class ThreadActivity {
  readonly #now: () => number;
  readonly #lanes: Lane[] = [];

  /** @param now ms, of a clock that need not be the time of day */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Work begins in a thread, which takes the lowest number that is free. @returns to be called when it ends */
  begin(work: ThreadWork): () => void {
    const lane = this.#freeLane(work);
    lane.since = this.#now();
    let isOver = false;
    return () => {
      if (isOver || lane.since === null) return;
      isOver = true;
      this.#cover(lane, lane.since, this.#now());
      lane.since = null;
    };
  }

  /**
   * Records that the main thread was busy for a share of the time from then to now, spread evenly. @param share 0..1
   */
  sample(from: number, share: number): void {
    const lane = this.#lanes.find(({ work }) => work === "main") ?? this.#add("main", 1);
    const now = this.#now();
    this.#cover(lane, from, now, share);
  }

  /** Threads that worked within the last minute, in the order of their names. */
  threads(): BusyThread[] {
    const now = this.#now();
    const last = Math.floor(now / CELL_MS);
    return this.#lanes
      .map((lane): BusyThread => {
        const running: Lane = { ...lane, cells: new Map(lane.cells) };
        if (lane.since !== null) this.#cover(running, Math.max(lane.since, now - CELLS * CELL_MS), now);
        return { work: lane.work, number: lane.number, shares: sharesOf(running.cells, last) };
      })
      .filter(({ shares }) => shares.some((share) => share > 0))
      .toSorted((a, b) => ORDER.indexOf(a.work) - ORDER.indexOf(b.work) || a.number - b.number);
  }

  #freeLane(work: ThreadWork): Lane {
    const same = this.#lanes.filter((lane) => lane.work === work);
    return same.find(({ since }) => since === null) ?? this.#add(work, same.length + 1);
  }

  #add(work: ThreadWork, number: number): Lane {
    const lane: Lane = { work, number, cells: new Map(), since: null };
    this.#lanes.push(lane);
    return lane;
  }

  #cover({ cells }: Lane, from: number, to: number, share = 1): void {
    const first = Math.max(Math.floor(from / CELL_MS), Math.floor(to / CELL_MS) - CELLS);
    for (let cell = first; cell * CELL_MS < to; cell++) {
      const covered = Math.min(to, (cell + 1) * CELL_MS) - Math.max(from, cell * CELL_MS);
      if (covered > 0) cells.set(cell, (cells.get(cell) ?? 0) + covered * share);
    }
    const oldest = Math.floor(to / CELL_MS) - CELLS;
    for (const cell of cells.keys()) if (cell < oldest) cells.delete(cell);
  }
}

const ORDER: readonly ThreadWork[] = ["main", "analysis", "answers", "files"];

/** Complete cells only: the present one has not ended. */
function sharesOf(cells: ReadonlyMap<number, number>, now: number): number[] {
  return Array.from({ length: CELLS }, (_, i) => {
    const share = Math.min(1, (cells.get(now - CELLS + i) ?? 0) / CELL_MS);
    return Math.round(share * 1000) / 1000;
  });
}
