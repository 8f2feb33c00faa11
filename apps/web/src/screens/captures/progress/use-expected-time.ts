import { useEffect, useState } from "react";
import { AnalysisPace, MOST_PACES, paceOf, withStart, z } from "@aglens/contract";
import type { PhaseStarts, Progress } from "@aglens/contract";
import { type ExpectedTime, expectedTime } from "./expected-time.ts";

const KEY = "ag-lens.paces";
/** The time also advances between two reports of a long phase. */
const LOOK_MS = 500;

/** Paces of the analyses that this browser made last, newest last. */
function ownPaces(): readonly AnalysisPace[] {
  try {
    return z.array(AnalysisPace).parse(JSON.parse(window.localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return [];
  }
}

function keepPace(pace: AnalysisPace): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify([...ownPaces(), pace].slice(-MOST_PACES)));
  } catch {
    // The next estimate is as rough as the first.
  }
}

interface Watched {
  readonly starts: PhaseStarts;
  readonly progress: Progress | null;
  /** When that was reported, on the clock of `performance`. */
  readonly atMs: number;
}

export interface WatchedTime {
  readonly time: ExpectedTime | null;
  /** Since the analysis began, ms; null where that is not known. */
  readonly elapsedMs: number | null;
  /** To be called with each report. */
  readonly onProgress: (progress: Progress) => void;
  /** To be called when the analysis has ended successfully: the next estimate uses it. */
  readonly onReady: () => void;
}

/**
 * Progress of the analysis by time while the page is open.
 * @param first progress when the page was opened, with the paces of a server
 * @param isOwn it runs in this browser, which keeps its pace
 */
export function useExpectedTime(first: Progress | null, isOwn: boolean): WatchedTime {
  const [paces] = useState(() => (isOwn ? ownPaces() : (first?.paces ?? [])));
  const [nowMs, setNowMs] = useState(() => performance.now());
  const [watched, setWatched] = useState<Watched>(() => ({ starts: {}, progress: first, atMs: nowMs }));
  const [most, setMost] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const reported = watched.progress?.elapsedMs ?? null;
  const time = expectedTime(watched.progress, watched.starts, nowMs, paces);
  // When the estimate grows, what is done is a smaller part of it: that is no reason to take a step back.
  const share = Math.max(most, time?.share ?? 0);
  if (share > most) setMost(share);
  return {
    time: time === null ? null : { ...time, share },
    elapsedMs: reported === null ? null : reported + Math.max(0, nowMs - watched.atMs),
    onProgress: (progress) => {
      const now = performance.now();
      setNowMs(now);
      setWatched(({ starts }) => ({ starts: withStart(starts, progress, now), progress, atMs: now }));
    },
    onReady: () => {
      if (!isOwn) return;
      const pace =
        watched.progress === null ? null : paceOf(watched.starts, watched.progress, performance.now());
      if (pace !== null) keepPace(pace);
    },
  };
}
