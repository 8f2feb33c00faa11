/**
 * Determines whether a finding is about one database of several: only if the events show that the others are not slow.
 */
import { meanWhere, statisticsOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Rows } from "./excess.ts";

/** Least number of a database's blocks that show whether it is slow. */
const LEAST_BLOCKS = 8;

/**
 * Index into the model's databases of the only one that is slow in the rows: its blocks took the limit longer than its
 * other ones, those of every other database less than half of it. Null for a capture with one database, where several
 * are slow, and where too few blocks show it.
 * @param time µs per block, NaN unknown
 * @param limitUs least excess that is reported, µs
 */
export const databaseSlowIn = (
  model: CaptureModel,
  time: Float64Array,
  [first, end]: Rows,
  limitUs: number,
): number | null =>
  onlySlowDatabase(model, (isOwn) => {
    const isInside = (row: number): boolean => row >= first && row < end;
    let known = 0;
    for (let row = first; row < end; row++) if (isOwn(row) && !Number.isNaN(time[row])) known++;
    if (known < LEAST_BLOCKS) return null;
    const inside = meanWhere(time, (row) => isOwn(row) && isInside(row));
    const excess = inside - meanWhere(time, (row) => isOwn(row) && !isInside(row));
    return decided(excess, limitUs / 2, limitUs);
  });

/** The same for a complete capture whose p95 is over a limit: the p95 of every other database is under half of it. */
export function databaseOverLimit(model: CaptureModel, figure: Float64Array): number | null {
  if (model.databases.length < 2) return null;
  const { p95 } = statisticsOf(figure);
  return onlySlowDatabase(model, (isOwn) => {
    const own = statisticsOf(figure.filter((_, row) => isOwn(row)));
    return own.n < LEAST_BLOCKS ? null : decided(own.p95, p95 / 2, p95);
  });
}

/** True from the upper bound on, false under the lower one, null between them and without a value. */
function decided(us: number, lower: number, upper: number): boolean | null {
  if (us >= upper) return true;
  return us < lower ? false : null;
}

function onlySlowDatabase(
  model: CaptureModel,
  isSlow: (isOwn: (row: number) => boolean) => boolean | null,
): number | null {
  if (model.databases.length < 2) return null;
  const [{ databases }] = model.phases;
  if (databases.length === 1) return databases[0];
  const answers = databases.map((database) => isSlow((row) => model.blocks.database[row] === database));
  const slow = databases.filter((_, i) => answers[i] === true);
  return slow.length === 1 && !answers.includes(null) ? slow[0] : null;
}
