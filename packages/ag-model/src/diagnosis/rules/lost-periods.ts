/**
 * Finds time without events of a server, though its files have events before and after it: rollover files are missing,
 * or the server lost all its events for a while, alone or with all others. Without it an unknown server would be drawn
 * as an idle one.
 */
import { perModel } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { countedLoss } from "./counted-loss.ts";
import { phaseWithBorders } from "./file-borders.ts";
import { lossesOf, type LostPeriod } from "./loss.ts";
import { longestSilence } from "./own-events.ts";
import { pathsOf } from "../paths.ts";
import { unsentBlocks } from "./unsent.ts";
import { unseenLog } from "./unseen-log.ts";
import type { Window } from "../verdict.ts";

/** A period without an event of a server, µs. */
export interface ServerLostPeriod {
  /** Index into the model's replicas. */
  readonly replica: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Part of a database's period in which its server has to have been completely silent. It is not all of it: as the loss
 * begins and ends, the server has events of blocks next to the first and the last lost one.
 */
const SILENT_PART = 0.8;

/** Periods by D15 (docs/contribute/model/diagnosis.md 6.6), for each server; in order of time. */
export const lostPeriods = perModel((model: CaptureModel): readonly ServerLostPeriod[] => {
  const found = [...foundIn(model, ofServers), ...foundIn(model, ofAllServers)];
  return model.replicas
    .flatMap((_, replica) => merged(found.filter((period) => period.replica === replica)))
    .sort((a, b) => a.from - b.from);
});

/** Periods in which no server has an event though log was written: they look idle and are not. µs */
export const unseenPeriods = perModel((model: CaptureModel): readonly Window[] =>
  foundIn(model, ofAllServers),
);

interface Found extends LostPeriod {
  readonly replica: number;
}

/** Finds the periods of one primary's time, as far as the server was silent. */
function foundIn(model: CaptureModel, find: (ofOne: CaptureModel) => Found[]): ServerLostPeriod[] {
  if (model.phases.length <= 1) return find(model).flatMap((period) => silentPart(model, period));
  return model.phases.flatMap((_, phase) => {
    const { model: own, replicas } = phaseWithBorders(model, phase);
    return find(own).flatMap((period) => silentPart(model, { ...period, replica: replicas[period.replica] }));
  });
}

const ofServers = (model: CaptureModel): Found[] =>
  lossesOf(model).flatMap(({ replica, stretches: periods }) =>
    periods.map((period) => ({ ...period, replica })),
  );

/**
 * Log without events of any server: each participating server would have had events of it, except a replica that no
 * block was sent to at that time.
 */
function ofAllServers(model: CaptureModel): Found[] {
  return unseenLog(model).flatMap(({ from, to, before, behind }) =>
    [0, ...membersSentTo(model, [before, behind])]
      .filter(
        (replica) => isCovered(model, replica, { from, to }) && countedLoss(model, replica) === undefined,
      )
      .map((replica) => ({
        replica,
        from,
        to,
        betweenFiles: null,
        ended: model.blocks.timeEnd[behind],
        isCounted: false,
      })),
  );
}

/** Replicas to which all of some rows were sent. */
const membersSentTo = (model: CaptureModel, rows: readonly number[]): number[] =>
  pathsOf(model).flatMap(({ replica, secondary }) => {
    const isUnsent = unsentBlocks(model, secondary);
    return isUnsent !== null && rows.some((row) => isUnsent[row] === 1) ? [] : [replica];
  });

/** Time outside of a server's files is reported as missing anyway. */
function isCovered({ replicas }: CaptureModel, replica: number, { from, to }: Window): boolean {
  const server = replicas[replica];
  return server.hasCapture && server.from <= from && server.to >= to;
}

/**
 * The part of a database's period in which the server has no event of any database; empty where it has events of
 * another one in it. Between files it never has events.
 * @param model the complete capture: other phases' databases count as well
 */
function silentPart(model: CaptureModel, period: Found): ServerLostPeriod[] {
  const { replica, from, to, betweenFiles, ended, isCounted } = period;
  if (betweenFiles !== null || isCounted) return [{ replica, from, to }];
  // A replica that lags has the events of these blocks later than they were written: its silence is later, too.
  const silence = longestSilence(model, replica, { from, to: ended });
  return silence.to - silence.from < SILENT_PART * (to - from) ? [] : [{ replica, ...silence }];
}

/**
 * Merges periods that overlap: databases that were lost together, files that are missing before and after a change of
 * roles.
 */
function merged(periods: readonly ServerLostPeriod[]): ServerLostPeriod[] {
  const wide: ServerLostPeriod[] = [];
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    const last = wide.at(-1);
    if (last === undefined || period.from >= last.to) wide.push(period);
    else wide[wide.length - 1] = { ...last, to: Math.max(last.to, period.to) };
  }
  return wide;
}
