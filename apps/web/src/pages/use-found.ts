import { useEffect, useState } from "react";
import type { FoundBlocks, Summary } from "@aglens/contract";
import type { CaptureSource } from "../data/capture-source.ts";
import { isAbort } from "../data/problem.ts";
import { instantOf } from "./search-text.ts";

/** What a text means in a capture. */
export interface Found {
  readonly text: string;
  /** µs from the origin, or null when the text is no time of this capture. */
  readonly at: number | null;
  /** The first block from that time on. */
  readonly from: FoundBlocks["rows"];
  /** Blocks of that LSN. */
  readonly blocks: FoundBlocks["rows"];
}

/** Typing asks again and again; only a pause is worth a request. */
const PAUSE_MS = 120;
const NOTHING: FoundBlocks = { rows: [] };

/** Looks a text up as a time and as an LSN; null while nothing is asked or the answer is on its way. */
export function useFound(source: CaptureSource, summary: Summary, text: string): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (text.trim() === "") return undefined;
    const abort = new AbortController();
    const at = instantOf(text, summary.originTicks, summary.durationUs);
    const ask = async (): Promise<void> => {
      const [from, blocks] = await Promise.all([
        at === null ? NOTHING : source.findAt(at, abort.signal),
        source.findLsn(text, abort.signal),
      ]);
      setFound({ text, at, from: from.rows, blocks: blocks.rows });
    };
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        if (!isAbort(error)) setFound({ text, at, from: [], blocks: [] });
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [source, summary, text]);
  return found?.text === text ? found : null;
}
