import type { EvidenceSeries } from "../shapes.ts";
import { withoutUser } from "./leftovers.ts";
import type { RowTable } from "./row-table.ts";
import type { SampleOptions } from "./samples.ts";
import { FILE_STATISTICS } from "./sample-tables.ts";

/** Series of tables that were read, with sentences about them. Tables in local time need an offset. */
export function seriesOfTables(
  tables: readonly RowTable[],
  { file, server, utcOffsetMinutes, keepSensitive }: SampleOptions,
): { series: EvidenceSeries[]; remarks: string[] } {
  const series: EvidenceSeries[] = [];
  const remarks: string[] = [];
  for (const table of tables) {
    if (utcOffsetMinutes === null && table.hasTimes && !table.isUtc) continue;
    const found = table.toSeries({ file, server }, utcOffsetMinutes ?? 0);
    for (const one of found.series)
      series.push(
        keepSensitive === true ? one : { ...one, of: one.of === null ? null : withoutUser(one.of) },
      );
    remarks.push(...remarksOf(table, found));
  }
  return { series, remarks };
}

function remarksOf(
  { rule, hasTimes }: RowTable,
  { restarts, wentBack, snapshots }: ReturnType<RowTable["toSeries"]>,
): string[] {
  const hasDeltas = rule.metrics.some(({ form }) => form === "delta");
  const remarks: string[] = [];
  if (rule === FILE_STATISTICS)
    remarks.push("File statistics are averages since SQL Server started, and only of files over 15 ms.");
  if (hasDeltas && snapshots === 1)
    remarks.push(
      `One snapshot of ${rule.name}${hasTimes ? "" : " without a time"}: figures count from the last start of SQL Server.`,
    );
  for (const [fromUs, untilUs] of restarts)
    remarks.push(
      `Counters of ${rule.name} started again between ${utcText(fromUs)} and ${utcText(untilUs)} UTC. This interval has no figures.`,
    );
  if (wentBack > 0)
    remarks.push(
      `${wentBack} counters of ${rule.name} went back without a restart. Their figures are missing.`,
    );
  return remarks;
}

const utcText = (us: number): string => {
  const ms = us / 1000;
  // Beyond this, Date has no text.
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString().slice(0, 19).replace("T", " ") : "?";
};
