/** D1 and D2: single log writes that hung. One such write slows so few blocks that no window shows it. */
import { perModel, stageColumn } from "../../columns/index.ts";
import { clockSteps } from "../../replication/join/clock-steps.ts";
import { PAUSE_US } from "../../replication/prepare/pauses.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { formatCount, formatDuration } from "../../words/words.ts";
import { clockTimes } from "../when.ts";
import { commitsAround, effectOf, rowsWithin } from "../effect.ts";
import { localWriteChecks, secondaryWriteChecks } from "./log-writes.ts";
import { pathsOf, replicaName } from "../paths.ts";
import { pausedIn } from "./pauses.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Finding, Window } from "../verdict.ts";

/** A log write that took PAUSE_US or more while its server was working. */
export interface HungWrite extends Window {
  /** Index into the model's replicas. */
  readonly replica: number;
  /** Index into the model's databases. */
  readonly database: number;
}

/** Log writes that hung, of a model with one primary, by replica and in order of time. */
export const hungWrites = perModel((model: CaptureModel): readonly HungWrite[] => {
  const { localFlushStart } = model.blocks;
  return [
    ...longOf(model, 0, stageColumn(model, 0, "localFlush"), localFlushStart),
    ...pathsOf(model).flatMap(({ replica, secondary }) =>
      longOf(
        model,
        replica,
        stageColumn(model, secondary, "secondaryFlush"),
        model.hops[secondary].secondaryFlushStart,
      ),
    ),
  ];
});

function longOf(model: CaptureModel, replica: number, us: Float64Array, start: Float64Array): HungWrite[] {
  const writes: HungWrite[] = [];
  for (let row = 0; row < us.length; row++) {
    if (!(us[row] >= PAUSE_US)) continue;
    const window = { from: start[row], to: start[row] + us[row] };
    if (pausedIn(model, window) !== null || isOfClock(model, window)) continue;
    writes.push({ ...window, replica, database: model.blocks.database[row] });
  }
  return writes.sort((a, b) => a.from - b.from);
}

/** Whether a counter that stepped in this time explains most of a duration. */
const isOfClock = ({ clocks }: CaptureModel, { from, to }: Window): boolean =>
  clocks.some((clock) =>
    clockSteps(clock).some(
      ({ at, us }) => at >= from && at <= to + PAUSE_US && 2 * Math.abs(us) >= to - from,
    ),
  );

/** A finding for each server with hung log writes. */
export const hungWriteFindings = (model: CaptureModel): Finding[] =>
  [...Map.groupBy(hungWrites(model), ({ replica }) => replica)].map(([replica, writes]) =>
    findingOf(model, replica, writes),
  );

function findingOf(model: CaptureModel, replica: number, writes: readonly HungWrite[]): Finding {
  const name = replicaName(model, replica);
  const [longest] = writes.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const took = `took ${formatDuration(longest.to - longest.from)} between ${clockTimes(model, longest)}`;
  const sentence =
    writes.length === 1
      ? `A log write on ${name} ${took}.`
      : `${formatCount(writes.length)} log writes on ${name} took over ${formatDuration(PAUSE_US)}: the longest ${took}.`;
  const window = { from: writes[0].from, to: Math.max(...writes.map(({ to }) => to)) };
  const databases = new Set(writes.map(({ database }) => database));
  const isWaitedFor = pathsOf(model).every((path) => path.replica !== replica || path.isWaitedFor);
  return plainFinding(
    replica === 0 ? "D1" : "D2",
    replica === 0 ? "primary_disk" : "secondary_disk",
    isWaitedFor ? "slow" : "none",
    sentence,
    {
      replica,
      stage: replica === 0 ? "localFlush" : "secondaryFlush",
      database: model.databases.length > 1 && databases.size === 1 ? longest.database : null,
      window,
      effect: effectOf(commitsAround(model, [rowsWithin(model, window.from, window.to)])),
      threshold: `a log write over ${formatDuration(PAUSE_US)}`,
      source: "AG Lens default",
      checkNext: replica === 0 ? localWriteChecks(name) : secondaryWriteChecks(name, replicaName(model, 0)),
    },
  );
}

/** Whether a log write that hung takes most of a window: the slow work in it waited for that write. */
export const isHungIn = (model: CaptureModel, { from, to }: Window): boolean =>
  hungWrites(model).some((write) => 2 * (Math.min(write.to, to) - Math.max(write.from, from)) > to - from);
