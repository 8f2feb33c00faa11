import { createContext, use } from "react";
import type { Times } from "../../frame/times-choice.tsx";
import type { CaptureTime } from "../../ui/words.ts";
import type { LiveState } from "./picture.ts";
import type { Alarm } from "./use-alarm.ts";

/** State and actions that the parts of the live screen share. Instants in µs of the run. */
export interface LiveRun {
  readonly id: string;
  readonly state: LiveState;
  /** Its time, and the clock that times are shown in. */
  readonly clock: CaptureTime;
  readonly times: Times;
  /** This tab has started the run: it may mark and stop it. */
  readonly canControl: boolean;
  /** The run continues, and its end was not requested. */
  readonly isRunning: boolean;
  /** The run's time now. */
  readonly readNow: () => number;
  /** Instant at the "now" line while the view is paused; null follows the run. */
  readonly heldAt: number | null;
  /** Pauses the view, or follows the run again. */
  readonly toggleHold: () => void;
  /** Moves the view by this time, µs; positive is earlier. */
  readonly pan: (us: number) => void;
  readonly mark: () => void;
  /** Ends the run; `keep` creates a capture of it. */
  readonly stop: (keep: boolean) => void;
  readonly share: () => void;
  /** Attaches a replica again that was given up, or waits. */
  readonly retry: (replica: number) => void;
  readonly alarm: Alarm;
  /** Creates a capture of the last five minutes; the run continues. */
  readonly keepLast: () => void;
  /** Counter lanes that the user shows or hides in contrast to the default, by key. */
  readonly gaugeChoice: Readonly<Record<string, boolean>>;
  readonly chooseGauge: (key: string, isShown: boolean) => void;
  /** The chosen database; `state.database` is the one of the picture. Null: all. */
  readonly database: string | null;
  readonly chooseDatabase: (name: string | null) => void;
}

export const LiveRunContext = createContext<LiveRun | null>(null);

/** The run around this component. */
export function useLiveRun(): LiveRun {
  const run = use(LiveRunContext);
  if (run === null) throw new Error("No live run is around this component.");
  return run;
}
