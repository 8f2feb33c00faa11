/** Number of durations of each hour in each bucket: unlike percentiles, counts of many captures can be added up. */
import { FLUSH_LIMITS_US } from "../diagnosis/flush-classes.ts";
import { microsecondsSince1970, type CaptureModel } from "../replication/index.ts";
import { durationsByPlace, type DurationsByPlace } from "./durations-by-place.ts";
import { namesOf } from "./replica-names.ts";
import type { RowTable } from "./row-tables.ts";
import { integers, labels, numbers, texts, type ExportTable } from "./table.ts";

/**
 * Number of buckets that double a duration: each ends 1.09 % above where it begins, in every capture at the same
 * places.
 */
const PER_DOUBLING = 64;
/** Up to 2^40 µs, 12 days; the last bucket contains longer durations. */
const DOUBLINGS = 40;
/**
 * Ends of the buckets, µs: of durations of 0 or less, of up to 1 µs, then 64 per doubling, and at the app's own limits.
 */
const ENDS = Float64Array.from([
  0,
  ...Array.from({ length: PER_DOUBLING * DOUBLINGS + 1 }, (_, step) => 2 ** (step / PER_DOUBLING)),
  ...Object.values(FLUSH_LIMITS_US),
]).toSorted();
const HOUR_US = 3_600_000_000;

/** Durations of one stage, server and hour. */
interface Buckets {
  readonly rowsOf: RowTable;
  readonly stage: string;
  /** -1 for commits. */
  readonly replica: number;
  /** Since 1970. */
  readonly hour: number;
  /** By bucket. */
  readonly counts: Uint32Array;
}

/** A row per duration, server, hour of UTC and bucket with at least one duration. */
export function histogramsTable(model: CaptureModel): ExportTable {
  const [origin] = microsecondsSince1970(model.origin, Float64Array.of(0), 0n);
  const all = durationsByPlace(model)
    .filter(({ by }) => by !== "gate")
    .flatMap((durations) => bucketsOf(durations, Number(origin)));
  const rows = all.flatMap((buckets) => filledOf(buckets).map((bucket) => ({ buckets, bucket })));
  const column = <Value>(of: (buckets: Buckets, bucket: number) => Value): Value[] =>
    rows.map(({ buckets, bucket }) => of(buckets, bucket));
  return {
    name: "histograms",
    length: rows.length,
    columns: [
      {
        name: "utc",
        unit: "",
        about: "beginning of the hour",
        kind: "utc",
        values: BigInt64Array.from(column(({ hour }) => BigInt(hour) * BigInt(HOUR_US))),
      },
      texts("rows_of", column(({ rowsOf }) => rowsOf), "table with a row per duration"), // prettier-ignore
      texts("stage", column(({ stage }) => stage), "that table's column, without _us"), // prettier-ignore
      labels(
        "replica",
        Int32Array.from(column(({ replica }) => replica)),
        namesOf(model),
        "of blocks the primary, of hops where they lead",
      ),
      numbers(
        "over_us",
        "µs",
        Float64Array.from(column((_, bucket) => ENDS[bucket - 1] ?? Number.NaN)),
        "durations are longer; null for 0 and less",
      ),
      numbers("up_to_us", "µs", Float64Array.from(column((_, bucket) => ENDS[bucket])), "and not longer"), // prettier-ignore
      integers(
        "count",
        Int32Array.from(column(({ counts }, bucket) => counts[bucket])),
        "durations of the hour between the two",
      ),
    ],
  };
}

/** Buckets that have any. */
const filledOf = ({ counts }: Buckets): number[] => [...counts.keys()].filter((bucket) => counts[bucket] > 0);

/** More servers than any group has, so that an hour and a server are one number. */
const SERVERS = 65_536;

/** @param origin µs since 1970 */
function bucketsOf({ rowsOf, by, place, time, stages }: DurationsByPlace, origin: number): Buckets[] {
  // A row at an unknown time has NaN, which is in no hour.
  const groups = time.map((at, row) => Math.floor((origin + at) / HOUR_US) * SERVERS + place[row]);
  return stages.flatMap(({ name: stage, values }) => {
    const counts = countsOf(values(), groups);
    return [...counts]
      .map(([group, buckets]) => ({
        rowsOf,
        stage,
        replica: by === "replica" ? group % SERVERS : -1,
        hour: Math.floor(group / SERVERS),
        counts: buckets,
      }))
      .toSorted((a, b) => a.replica - b.replica || a.hour - b.hour);
  });
}

/** Number of durations of each group in each bucket; NaN is in no bucket. */
function countsOf(values: Float64Array, groups: Float64Array): Map<number, Uint32Array> {
  const all = new Map<number, Uint32Array>();
  for (let row = 0; row < values.length; row++) {
    const group = groups[row];
    if (Number.isNaN(values[row]) || Number.isNaN(group)) continue;
    let counts = all.get(group);
    if (counts === undefined) all.set(group, (counts = new Uint32Array(ENDS.length)));
    counts[bucketOf(values[row])]++;
  }
  return all;
}

/**
 * The bucket of a duration: it is longer than the end of the bucket before, and not longer than its own end. @param us
 * not NaN
 */
function bucketOf(us: number): number {
  if (us <= 0) return 0;
  let bucket = Math.min(ENDS.length - 1, Math.max(1, 1 + Math.ceil(PER_DOUBLING * Math.log2(us))));
  // Without the limits between them, and a logarithm may be off by its last digit.
  while (bucket > 1 && ENDS[bucket - 1] >= us) bucket--;
  while (bucket < ENDS.length - 1 && ENDS[bucket] < us) bucket++;
  return bucket;
}
