import { blockFilterText, type BlockFilter, type HitCounts } from "@aglens/contract";
import { type CaptureSource, MOST_COUNTED } from "../data/capture-source.ts";
import { type Question, useAnswer } from "../data/use-answer.ts";

/** Blocks and commits of filters, by their texts. */
export type CountsByFilter = ReadonlyMap<string, HitCounts["counts"][number]>;

/** Pause of typing before a request, as in the design, ms. */
const PAUSE_MS = 80;

/** Counts filters; while new ones are counted, the previous counts stay. */
export function useHitCounts(source: CaptureSource, filters: readonly BlockFilter[]): CountsByFilter {
  const texts = [...new Map(filters.map((filter) => [blockFilterText(filter), filter]))].slice(
    0,
    MOST_COUNTED,
  );
  const question = texts.length === 0 ? null : countsOf(source, texts);
  return useAnswer(question, { pauseMs: PAUSE_MS, beginsAtOnce: true }).value ?? NONE;
}

const NONE: CountsByFilter = new Map();

function countsOf(
  source: CaptureSource,
  texts: readonly (readonly [string, BlockFilter])[],
): Question<CountsByFilter> {
  const counts = source.hitCounts(texts.map(([, filter]) => filter));
  return {
    // Not the answer itself: another key.
    key: `${counts.key} by text`,
    ask: async (signal) => {
      const answered = (await counts.ask(signal)).counts;
      return new Map(texts.map(([text], i) => [text, answered[i] ?? { blocks: 0, commits: 0 }]));
    },
  };
}
