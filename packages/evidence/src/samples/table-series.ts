import { withoutUser } from "./leftovers.ts";
import type { RowTable } from "./row-table.ts";
import { remark, type FileSeries, type Remark, type SampleOptions } from "./samples.ts";
import { FILE_STATISTICS } from "./sample-tables.ts";

/** Series of tables that were read, with sentences about them. */
export function seriesOfTables(
  tables: readonly RowTable[],
  { file, server, utcOffsetMinutes, keepSensitive }: SampleOptions,
): { series: FileSeries[]; remarks: Remark[] } {
  const series: FileSeries[] = [];
  const remarks: Remark[] = [];
  for (const table of tables) {
    const isLocal = utcOffsetMinutes === null && table.hasTimes && !table.isUtc;
    const found = table.toSeries({ file, server }, utcOffsetMinutes ?? 0);
    for (const one of found.series) {
      const of = keepSensitive === true || one.of === null ? one.of : withoutUser(one.of);
      series.push({ ...one, of, isLocal });
    }
    remarks.push(...remarksOf(table, found, isLocal));
  }
  return { series, remarks };
}

function remarksOf(
  { rule, hasTimes }: RowTable,
  { restarts, wentBack, snapshots }: ReturnType<RowTable["toSeries"]>,
  isLocal: boolean,
): Remark[] {
  const hasDeltas = rule.metrics.some(({ form }) => form === "delta");
  const remarks: Remark[] = [];
  if (rule === FILE_STATISTICS)
    remarks.push(
      remark("File statistics are averages since SQL Server started, and only of files over 15 ms."),
    );
  if (hasDeltas && snapshots === 1)
    remarks.push(
      remark(
        `One snapshot of ${rule.name}${hasTimes ? "" : " without a time"}: figures count from the last start of SQL Server.`,
      ),
    );
  for (const timesUs of restarts)
    remarks.push({
      text: `Counters of ${rule.name} started again between {0} and {1} UTC. This interval has no figures.`,
      timesUs,
      isLocal,
    });
  if (wentBack > 0)
    remarks.push(
      remark(`${wentBack} counters of ${rule.name} went back without a restart. Their figures are missing.`),
    );
  return remarks;
}
