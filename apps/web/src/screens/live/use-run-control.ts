import { useState } from "react";
import { navigate } from "../../state/navigate.ts";
import { keepLast, markRun, readRun, retryReplica, stopRun } from "../../data/live-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { controlOf, forgetControl } from "./control.ts";

const LAST_MINUTES = 5;

export interface RunControl {
  /** The token of a run that this tab has started, else null. */
  readonly control: string | null;
  readonly mark: () => void;
  readonly stop: (keep: boolean) => void;
  /** Creates a capture of the last five minutes and reports it. */
  readonly keepLast: () => void;
  readonly retry: (replica: number) => void;
  /** Its end was requested, and can't be canceled. */
  readonly isEnding: boolean;
  /** Why the last mark, stop or retry failed. */
  readonly error: string | null;
}

/** Marks and ends a run, for the tab that has started it. */
export function useRunControl(id: string, onKept: (captureId: string | null) => void): RunControl {
  const [control] = useState(() => controlOf(id));
  const [isEnding, setIsEnding] = useState(false);
  const mark = useCommand(async () => {
    if (control !== null) await markRun(id, control, "");
  });
  const stop = useCommand(async (keep: boolean) => {
    if (control === null) return;
    setIsEnding(true);
    try {
      const captureId = await stopRun(id, control, keep);
      forgetControl(id);
      // The user must first read about sessions that could not be dropped; the last picture names them.
      if (captureId !== null && (await isAllDropped(id))) navigate(`/captures/${captureId}`);
    } catch (error) {
      setIsEnding(false);
      throw error;
    }
  });
  const retry = useCommand(async (replica: number) => {
    if (control !== null) await retryReplica(id, control, replica);
  });
  const keepPart = useCommand(async () => {
    if (control !== null) onKept(await keepLast(id, control, LAST_MINUTES));
  });
  return {
    control,
    mark: mark.run,
    stop: stop.run,
    retry: retry.run,
    keepLast: keepPart.run,
    isEnding,
    error: stop.error ?? mark.error ?? retry.error ?? keepPart.error,
  };
}

/**
 * True when no session of the run is left. The capture also opens where that cannot be read: it has the same endings.
 */
async function isAllDropped(id: string): Promise<boolean> {
  try {
    const { replicas } = await readRun(id);
    return replicas.every(
      ({ ownSession, state }) => !ownSession || state === "dropped" || state === "failed",
    );
  } catch {
    return true;
  }
}
