import { oncePerModel } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { pathsOf } from "./paths.ts";
import type { Settings } from "./settings.ts";
import type { Window } from "./verdict.ts";

export interface ServerPause {
  readonly replica: number;
  /** In order, µs. */
  readonly stretches: readonly Window[];
}

/** Part of a silence at either end in which instants may be off: clocks are not certain there. */
const END_PART = 0.1;

/**
 * Servers that stood still: no event of any kind for a while, and then an answer to what had come before. A silence in which
 * nobody waited is an idle server, and one in which answers went on arriving elsewhere is a loss of events.
 */
export const serverPauses = (model: CaptureModel, { pauseUs }: Settings): readonly ServerPause[] =>
  oncePerModel(model, `diagnosis/pauses/${pauseUs}`, () => {
    const fires = firesOf(model);
    const secondaries = pathsOf(model).map(({ replica, secondary }) => {
      const { sendEnd, ackReceived } = model.hops[secondary];
      return {
        replica,
        stretches: silences(fires[replica], pauseUs).filter(wasWaitedFor(sendEnd, ackReceived)),
      };
    });
    const primary = silences(fires[0], pauseUs)
      .filter((silence) => model.hops.some((hop) => wasWaitedFor(hop.ackSent, hop.ackReceived)(silence)))
      // A primary whose commits all wait for a secondary that stands still is silent as well.
      .filter(
        (silence) => !secondaries.some(({ stretches }) => stretches.some((each) => overlap(each, silence))),
      );
    return [{ replica: 0, stretches: primary }, ...secondaries].filter(
      ({ stretches }) => stretches.length > 0,
    );
  });

const overlap = (a: Window, b: Window): boolean => Math.min(a.to, b.to) > Math.max(a.from, b.from);

/** Share of a slow stretch in which a server stood still, from which on the stretch is the pause's. */
const PAUSE_SHARE = 0.5;

/** Index of the replica that stood still for most of a window: what was slow in it waited for that server. Null for none. */
export function pausedIn(model: CaptureModel, settings: Settings, { from, to }: Window): number | null {
  const still = (stretches: readonly Window[]): number =>
    stretches.reduce((sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)), 0);
  const pause = serverPauses(model, settings).find(
    ({ stretches }) => still(stretches) > PAUSE_SHARE * (to - from),
  );
  return pause?.replica ?? null;
}

function silences(ascending: Float64Array, pauseUs: number): Window[] {
  const found: Window[] = [];
  for (let i = 1; i < ascending.length; i++) {
    if (ascending[i] - ascending[i - 1] >= pauseUs) found.push({ from: ascending[i - 1], to: ascending[i] });
  }
  return found;
}

/** Whether something that left before the middle of a silence was answered only at its end. */
const wasWaitedFor =
  (left: Float64Array, answered: Float64Array) =>
  ({ from, to }: Window): boolean => {
    const part = (to - from) * END_PART;
    return left.some((at, row) => at >= from - part && at <= (from + to) / 2 && answered[row] >= to - part);
  };

/** When the events of each replica fired, ascending. */
const firesOf = (model: CaptureModel): readonly Float64Array[] =>
  oncePerModel(model, "diagnosis/fires", () => {
    const { file, fire } = model.events;
    return model.replicas.map((_, replica) =>
      fire.filter((us, i) => model.files[file[i]]?.replica === replica && !Number.isNaN(us)).sort(),
    );
  });
