/**
 * The app's percentiles of a complete capture as a small table: queries over many captures then read no row per block.
 */
import { FLUSH_LIMITS_US } from "../diagnosis/flush-classes.ts";
import { statisticsOf, type Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { durationsByPlace, type DurationsByPlace } from "./durations-by-place.ts";
import { gateNames } from "./gates.ts";
import { namesOf } from "./replica-names.ts";
import type { RowTable } from "./row-tables.ts";
import { integers, labels, numbers, texts, type ExportTable } from "./table.ts";
import { utcColumn } from "./utc.ts";

interface StageRow extends Statistics {
  readonly rowsOf: RowTable;
  readonly stage: string;
  readonly replica: number;
  readonly gate: number;
  /** -1 for all together. */
  readonly database: number;
  readonly sum: number;
  readonly slow: number;
}

/** A row per duration, server or gate, and database; no row without a known value. */
export function stagesTable(model: CaptureModel): ExportTable {
  const rows = durationsByPlace(model).flatMap((grouping) => rowsOf(grouping, model.databases.length));
  const counts = (of: (row: StageRow) => number): Int32Array => Int32Array.from(rows, of);
  const figures = (of: (row: StageRow) => number): Float64Array => Float64Array.from(rows, of);
  const databases = model.databases.map(({ name }) => name);
  return {
    name: "stages",
    length: rows.length,
    columns: [
      utcColumn(model.origin, new Float64Array(rows.length), "beginning of the capture"),
      texts("rows_of", rows.map((row) => row.rowsOf), "table with a row per duration"), // prettier-ignore
      texts("stage", rows.map(({ stage }) => stage), "that table's column, without _us"), // prettier-ignore
      labels("replica", counts((row) => row.replica), namesOf(model), "of blocks the primary, of hops where they lead"), // prettier-ignore
      labels("gate", counts((row) => row.gate), gateNames(model), "what released the commits; null for all together"), // prettier-ignore
      labels("database", counts((row) => row.database), databases, "null for all together"), // prettier-ignore
      integers("count", counts(({ n }) => n), "durations that are known"), // prettier-ignore
      numbers("p50_us", "µs", figures(({ p50 }) => p50), "linear between neighbors, as all percentiles of the app"), // prettier-ignore
      numbers("p95_us", "µs", figures(({ p95 }) => p95)), // prettier-ignore
      numbers("p99_us", "µs", figures(({ p99 }) => p99)), // prettier-ignore
      numbers("max_us", "µs", figures(({ max }) => max)), // prettier-ignore
      numbers("mean_us", "µs", figures(({ mean }) => mean)), // prettier-ignore
      numbers("sum_us", "µs", figures(({ sum }) => sum)), // prettier-ignore
      integers("over_50_ms", counts(({ slow }) => slow), "how many took longer than 50 ms"), // prettier-ignore
    ],
  };
}

function rowsOf(grouping: DurationsByPlace, databases: number): StageRow[] {
  const { order, starts } = sortedByGroup(grouping, databases);
  const values = new Float64Array(order.length);
  return grouping.stages.flatMap(({ name, values: valuesOf }) => {
    const unsorted = valuesOf();
    for (let i = 0; i < order.length; i++) values[i] = unsorted[order[i]];
    const rows: StageRow[] = [];
    // A capture without data-movement events has no database, and no row.
    const places = databases === 0 ? 0 : Math.floor((starts.length - 1) / databases);
    for (let place = 0; place < places; place++) {
      const first = place * databases;
      const add = (database: number, from: number, to: number): void => {
        const row = rowOf(values.subarray(starts[from], starts[to]));
        if (row.n > 0) rows.push({ ...row, ...nameOf(grouping, place), stage: name, database });
      };
      add(-1, first, first + databases);
      for (let database = 0; database < databases; database++)
        add(database, first + database, first + database + 1);
    }
    return rows;
  });
}

const nameOf = ({ rowsOf: table, by }: DurationsByPlace, place: number) => ({
  rowsOf: table,
  replica: by === "replica" ? place : -1,
  gate: by === "gate" ? place : -1,
});

function rowOf(values: Float64Array): Statistics & Pick<StageRow, "sum" | "slow"> {
  const statistics = statisticsOf(values);
  let slow = 0;
  // An unknown value (NaN) is not over 50 ms.
  for (let i = 0; i < values.length; i++) if (values[i] > FLUSH_LIMITS_US.busy) slow++;
  return { ...statistics, sum: statistics.mean * statistics.n, slow };
}

/**
 * Rows by place and, within it, by database, so that both a place's rows and those of one of its databases are
 * adjacent.
 * @returns starts first row of each group in `order`, and the end of the last
 */
function sortedByGroup(
  { place, database }: DurationsByPlace,
  databases: number,
): { readonly order: Uint32Array; readonly starts: Uint32Array } {
  let places = 0;
  for (let row = 0; row < place.length; row++) places = Math.max(places, place[row] + 1);
  const group = (row: number): number => place[row] * databases + database[row];
  const starts = new Uint32Array(places * databases + 1);
  for (let row = 0; row < place.length; row++) starts[group(row) + 1]++;
  for (let each = 1; each < starts.length; each++) starts[each] += starts[each - 1];
  const next = starts.slice();
  const order = new Uint32Array(place.length);
  for (let row = 0; row < place.length; row++) order[next[group(row)]++] = row;
  return { order, starts };
}
