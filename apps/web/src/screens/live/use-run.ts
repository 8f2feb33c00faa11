import { useEffect, useRef, useState } from "react";
import { reportPresence, watchRun } from "../../data/live-client.ts";
import { type LiveState, mergePicture } from "./picture.ts";
import { nowClock } from "./now.ts";

const PRESENCE_MS = 10_000;

export interface Run {
  readonly state: LiveState | null;
  /** The line to the server is broken and tried again. */
  readonly trouble: string | null;
  /** The run cannot be followed any more. */
  readonly gone: string | null;
  /** The run's time now, µs. */
  readonly readNow: () => number;
}

/** Follows a run and, with its control token, keeps it alive. */
export function useRun(id: string, control: string | null): Run {
  const [state, setState] = useState<LiveState | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const clock = useRef(nowClock());
  const stopped = state?.state === "stopped";
  const presence = usePresence(id, control, stopped);

  useEffect(
    () =>
      watchRun(id, {
        onPicture: (picture, full) => {
          clock.current.tell(picture.now, performance.now());
          presence.current();
          setState((held) => mergePicture(held, picture, full));
        },
        onTrouble: setTrouble,
        onGone: setGone,
      }),
    [id, presence],
  );
  return { state, trouble, gone, readNow: () => clock.current.read(performance.now()) };
}

/**
 * Says every 10 s that the page is there. Browsers slow the timers of a hidden page to one a minute, which is too late
 * for the server, so that each picture that arrives gives the chance too.
 */
function usePresence(id: string, control: string | null, stopped: boolean): { readonly current: () => void } {
  const tell = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (control === null || stopped) {
      tell.current = () => undefined;
      return undefined;
    }
    let last = Number.NEGATIVE_INFINITY;
    tell.current = () => {
      const now = performance.now();
      if (now - last < PRESENCE_MS) return;
      last = now;
      // A failure shows as a broken line soon; the next call tries again.
      reportPresence(id, control).catch(() => undefined);
    };
    tell.current();
    const timer = setInterval(() => tell.current(), PRESENCE_MS);
    return () => clearInterval(timer);
  }, [id, control, stopped]);
  return tell;
}
