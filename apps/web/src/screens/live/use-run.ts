import { useCallback, useEffect, useRef, useState } from "react";
import { reportPresence, watchRun } from "../../data/live-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { nowClock } from "./now.ts";
import { type LiveState, mergePicture } from "./picture.ts";

const PRESENCE_MS = 10_000;

export interface Run {
  readonly state: LiveState | null;
  /**
   * Message that the connection to the server is broken and being retried, or that the server receives nothing from
   * this page.
   */
  readonly trouble: string | null;
  /** Message that the run can no longer be followed. */
  readonly gone: string | null;
  /** The run's time now, µs. */
  readonly readNow: () => number;
}

/**
 * Follows a run and, with its control token, keeps it alive.
 * @param database the one of lanes, figures and verdict; null: all
 */
export function useRun(id: string, control: string | null, database: string | null): Run {
  const [state, setState] = useState<LiveState | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const clock = useRef(nowClock());
  const { report, absence } = usePresence(id, control, state?.state === "stopped");
  useEffect(
    () =>
      watchRun(id, database, {
        onPicture: (picture, full) => {
          clock.current.report(picture.now, performance.now());
          report();
          setState((held) => mergePicture(held, picture, full));
        },
        onTrouble: setTrouble,
        onGone: setGone,
      }),
    [id, database, report],
  );
  const readNow = useCallback(() => clock.current.read(performance.now()), []);
  return { state, trouble: trouble ?? absence, gone, readNow };
}

interface Presence {
  /** Reports that the page is open, unless it did so a moment ago. Stable. */
  readonly report: () => void;
  /** Why that report did not reach the server; null while it does. */
  readonly absence: string | null;
}

/**
 * Reports every 10 s that the page is open. Browsers slow the timers of a hidden page to one a minute, which is too
 * late for the server, so each picture that arrives also triggers a report.
 */
function usePresence(id: string, control: string | null, hasEnded: boolean): Presence {
  const [absence, setAbsence] = useState<string | null>(null);
  const reportNow = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (control === null || hasEnded) {
      reportNow.current = () => undefined;
      return undefined;
    }
    let last = Number.NEGATIVE_INFINITY;
    reportNow.current = () => {
      const now = performance.now();
      if (now - last < PRESENCE_MS) return;
      last = now;
      reportPresence(id, control).then(
        () => setAbsence(null),
        (error: unknown) => setAbsence(texts.runWithoutAViewer(sentenceOf(error))),
      );
    };
    reportNow.current();
    const timer = setInterval(() => reportNow.current(), PRESENCE_MS);
    return () => clearInterval(timer);
  }, [id, control, hasEnded]);
  const report = useCallback(() => reportNow.current(), []);
  return { report, absence: hasEnded ? null : absence };
}
