import { useEffect, useState } from "react";
import type { Progress } from "@aglens/contract";
import {
  BUILT_IN_PACE,
  type ExpectedTime,
  expectedTime,
  type Pace,
  paceOf,
  type PhaseStarts,
  TIMED_PHASES,
  withStart,
} from "./expected-time.ts";

const KEY = "ag-lens.pace";
/** Between two reports of a long phase the time goes on. */
const LOOK_MS = 500;

/** The pace of the analysis that this browser watched last; null where it watched none. */
export function rememberedPace(): Pace | null {
  try {
    const kept = JSON.parse(window.localStorage.getItem(KEY) ?? "null") as Partial<Pace> | null;
    const isWhole = TIMED_PHASES.every(
      (phase) => Number.isFinite(kept?.[phase]) && (kept?.[phase] ?? -1) >= 0,
    );
    return isWhole ? (kept as Pace) : null;
  } catch {
    return null;
  }
}

function rememberPace(pace: Pace): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(pace));
  } catch {
    // The next estimate is as rough as the first.
  }
}

interface Watched {
  readonly starts: PhaseStarts;
  readonly progress: Progress | null;
}

export interface WatchedTime {
  readonly time: ExpectedTime | null;
  /** Nothing but a built-in pace to go by. */
  readonly isRough: boolean;
  /** To be called with each report. */
  readonly onProgress: (progress: Progress) => void;
  /** To be called when the analysis has ended well: the next estimate rests on it. */
  readonly onReady: () => void;
}

/** How far the analysis is by time while it is watched. */
export function useExpectedTime(first: Progress | null): WatchedTime {
  const [remembered] = useState(rememberedPace);
  const [nowMs, setNowMs] = useState(() => performance.now());
  const [watched, setWatched] = useState<Watched>(() => ({ starts: {}, progress: first }));
  const [most, setMost] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const time = expectedTime(watched.progress, watched.starts, nowMs, remembered ?? BUILT_IN_PACE);
  // When the estimate grows, what is done is a smaller part of it: that is no reason to take a step back.
  const share = Math.max(most, time?.share ?? 0);
  if (share > most) setMost(share);
  return {
    time: time === null ? null : { ...time, share },
    isRough: remembered === null,
    onProgress: (progress) => {
      const now = performance.now();
      setNowMs(now);
      setWatched(({ starts }) => ({ starts: withStart(starts, progress, now), progress }));
    },
    onReady: () => {
      const pace =
        watched.progress === null ? null : paceOf(watched.starts, watched.progress, performance.now());
      if (pace !== null) rememberPace(pace);
    },
  };
}
