/**
 * Speed: decision 61: 0.12 instead of 1.2 s for half of 4 M log blocks that is panned. Without it the simple way is to
 * compute all bins again.
 *
 * Figures of bins, kept after the first request. Bins of one width begin at multiples of it, so requests for a range of
 * time need the same bins wherever the view is panned; they are computed and kept in tiles of several bins (decision
 * 61).
 */
import { perModel } from "../columns/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** One figure per bin, by name. */
export type BinFigures = Readonly<Record<string, Float64Array>>;

/** Figures of the bins between consecutive edges, µs. */
export type FiguresBetween = (edges: Float64Array) => BinFigures;

/** Bins of one width, from bin `first` up to `end`: bin b is [b * width, (b + 1) * width), µs. */
export interface BinRun {
  readonly width: number;
  readonly first: number;
  readonly end: number;
}

const BINS_PER_TILE = 256;
/** A picture of four secondaries has about a hundred figures: 64 MB are some 20 pictures of 6,000 bins. */
const MOST_BYTES = 64 << 20;

interface Tiles {
  /** In order of use, the most recently used last. */
  readonly kept: Map<string, BinFigures>;
  bytes: number;
}

/** Edges of a run of bins, µs. */
export const edgesOf = ({ width, first, end }: BinRun): Float64Array =>
  Float64Array.from({ length: end - first + 1 }, (_, bin) => (first + bin) * width);

/** First row at or after each edge. */
export const rowsAt = (times: Float64Array, edges: Float64Array): Float64Array =>
  edges.map((edge) => firstAtOrAfter(times, edge));

const tilesOf = perModel((): Tiles => ({ kept: new Map(), bytes: 0 }));

/**
 * Figures of a run of bins, from tiles where they are kept. @param name of the computed figures: tiles of one name have
 * the same figures
 */
export function figuresOfBins(
  model: CaptureModel,
  name: string,
  run: BinRun,
  compute: FiguresBetween,
): BinFigures {
  const tiles = tilesOf(model);
  const figures: Record<string, Float64Array> = {};
  const { width, first, end } = run;
  for (let tile = Math.floor(first / BINS_PER_TILE); tile * BINS_PER_TILE < end; tile++) {
    const start = tile * BINS_PER_TILE;
    const from = Math.max(first, start);
    const part = tileOf(tiles, `${name} ${width} ${tile}`, () =>
      compute(edgesOf({ width, first: start, end: start + BINS_PER_TILE })),
    );
    for (const [key, column] of Object.entries(part)) {
      figures[key] ??= new Float64Array(end - first);
      figures[key].set(column.subarray(from - start, Math.min(end - start, BINS_PER_TILE)), from - first);
    }
  }
  return figures;
}

function tileOf(tiles: Tiles, key: string, compute: () => BinFigures): BinFigures {
  const known = tiles.kept.get(key);
  tiles.kept.delete(key);
  const tile = known ?? compute();
  tiles.kept.set(key, tile);
  if (known === undefined) tiles.bytes += bytesOf(tile);
  forgetOldest(tiles);
  return tile;
}

function forgetOldest(tiles: Tiles): void {
  for (const [key, tile] of tiles.kept) {
    if (tiles.bytes <= MOST_BYTES) return;
    tiles.kept.delete(key);
    tiles.bytes -= bytesOf(tile);
  }
}

const bytesOf = (tile: BinFigures): number =>
  Object.values(tile).reduce((sum, column) => sum + column.byteLength, 0);
