/** Rows that follow one another. */
export interface RowRange {
  readonly first: number;
  /** The row after the last. */
  readonly end: number;
}

/** The most rows of a chunk. */
export const CHUNK = 4_096;

/**
 * Processes columns of millions a few thousand rows at a time, in their order. A loop over millions is compiled while
 * it runs and keeps the numbers that it carries from row to row in boxes; a function that is called for each chunk is
 * compiled completely and takes half the time. Where several passes are made over a chunk, their input and output stays
 * in the processor's cache.
 */
export function inChunks(length: number, play: (chunk: RowRange) => void): void {
  for (let first = 0; first < length; first += CHUNK) play({ first, end: Math.min(first + CHUNK, length) });
}
