/** Figures of a range without the selected part of it. */
import type { BlockFilter, RangeStatistics } from "@aglens/contract";
import type { CaptureSource } from "../../../data/capture-source.ts";
import type { Question } from "../../../data/use-answer.ts";
import type { Range } from "../viewport.ts";

/** Statistics with the length that they cover: both stay together while the next ones are being loaded. */
export interface RestStatistics {
  readonly statistics: RangeStatistics;
  /** Length of the range without the selected part, µs. */
  readonly us: number;
}

/** Requests the statistics of `whole` without those of `selected`, both µs. */
export function restStatistics(
  source: Pick<CaptureSource, "statistics">,
  whole: Range,
  selected: Range,
  where: BlockFilter | null,
): Question<RestStatistics> {
  const asked = source.statistics({ from: whole[0], to: whole[1] }, where, {
    from: selected[0],
    to: selected[1],
  });
  const { key } = asked;
  return {
    key: `rest ${key}`,
    ask: async (signal) => {
      const statistics = await asked.ask(signal);
      return { statistics, us: lengthWithout([statistics.from, statistics.to], selected) };
    },
  };
}

const lengthWithout = ([from, to]: Range, [start, end]: Range): number =>
  to - from - Math.max(0, Math.min(to, end) - Math.max(from, start));
