/** The UTC clocks of servers on the capture's clock (docs/contribute/model/clocks.md 5.9). */
import { filetimeOfUnixMs } from "xel-parser/format";
import { longestBetween, type UtcChange } from "../replication/clocks/clock-utc.ts";
import { largest } from "../numbers/index.ts";
import type { CaptureModel, ClockFit } from "../replication/index.ts";

/** A server's UTC clock on the capture's clock. */
export interface ServerClock {
  /** @param utcUs µs since 1970 by that server's UTC @returns µs from the capture's origin */
  readonly at: (utcUs: number) => number;
  /** Half width of the uncertainty of such a time, µs. @param at µs from the capture's origin */
  readonly errorAt: (at: number) => number;
}

/** UTC swings by 15.6 ms against a server's counter, and a time is written some ms later than the thing happened. */
const UTC_SWING_US = 20_000;
/** Most by which a counter is taken to run faster or slower than UTC. */
const UTC_DRIFT = 50e-6;

/** µs since 1970 of the capture's origin, by the UTC of its reference. */
export const originUsOf = ({ origin }: Pick<CaptureModel, "origin">): number =>
  Number((origin - filetimeOfUnixMs(0)) / 10n);

/**
 * The clock of each replica; null for one that no data-movement events place on the capture's clock. That clock is the
 * counter of the first phase's primary, also after a change of roles; where it has no file, of the first replica with one.
 */
export function serverClocks(model: CaptureModel): readonly (ServerClock | null)[] {
  const reference = referenceOf(model);
  return model.replicas.map((_, replica) => {
    const way = reference < 0 ? null : wayTo(model, replica, reference);
    return way === null ? null : clockOf(model, replica, way);
  });
}

/** The replica on whose clock all times are; -1 without a file. */
const referenceOf = ({ replicas }: CaptureModel): number =>
  replicas.findIndex(({ hasCapture }) => hasCapture);

/** The fits between a replica and the reference; null where one is missing. */
function wayTo({ clocks, replicas }: CaptureModel, replica: number, reference: number): ClockFit[] | null {
  const way: ClockFit[] = [];
  for (let at = replica; at !== reference;) {
    const fit = clocks.find(({ secondary, status }) => secondary === at - 1 && status === "aligned");
    if (fit === undefined || Number.isNaN(fit.utcAheadOfPrimaryUs) || way.length > replicas.length)
      return null;
    way.push(fit);
    at = fit.against;
  }
  return way;
}

function clockOf(model: CaptureModel, replica: number, way: readonly ClockFit[]): ServerClock {
  const changesOf = (of: number): readonly UtcChange[] => model.replicas[of].utcChanges ?? [];
  const ahead = way.reduce((sum, fit) => {
    // The fit's mean is that of the longest time in which neither clock was set.
    const [own, other] = [changesOf(fit.secondary + 1), changesOf(fit.against)];
    const { windows } = fit;
    const { from } = longestBetween([...own, ...other], windows[0].from, windows[windows.length - 1].to);
    return sum + fit.utcAheadOfPrimaryUs - setBefore(own, from) + setBefore(other, from);
  }, 0);
  const origin = originUsOf(model) + ahead;
  const changes = changesOf(replica);
  return {
    at: (utcUs) => {
      let set = 0;
      for (const { from, to, us } of changes) {
        if (utcUs - origin - set < (from + to) / 2) break;
        set += us;
      }
      return utcUs - origin - set;
    },
    errorAt: (at) =>
      UTC_SWING_US + Math.abs(at) * UTC_DRIFT + way.reduce((sum, fit) => sum + fitErrorAt(fit, at), 0),
  };
}

/** Sum by which a UTC clock was set before a time. */
const setBefore = (changes: readonly UtcChange[], at: number): number =>
  changes.reduce((sum, { to, us }) => (to <= at ? sum + us : sum), 0);

function fitErrorAt({ windows }: ClockFit, at: number): number {
  const window = windows.find(({ from, to }) => at >= from && at <= to);
  return window?.uncertaintyUs ?? largest(windows.map(({ uncertaintyUs }) => uncertaintyUs));
}
