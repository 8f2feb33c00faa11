/** D13: clocks that stepped or changed their speed while the capture ran. */
import { clockSteps } from "../../replication/join/clock-steps.ts";
import type { CaptureModel, ClockFit } from "../../replication/shapes/tables.ts";
import { plainFinding } from "../plain-finding.ts";
import { replicaName } from "../paths.ts";
import type { Finding } from "../verdict.ts";
import { formatCount, formatDuration, formatTimeOfDay, formatTimesOfDay } from "../../words/words.ts";

const MOST_NAMED = 3;

/** Largest distance between a restart and its step, since its instant is uncertain, µs. */
const RESTART_US = 2_000_000;
const isSame = (restart: number, step: number): boolean => Math.abs(restart - step) <= RESTART_US;

/** The counter of a replica restarted. */
interface Restart {
  readonly replica: number;
  readonly at: number;
}

const restartsOf = ({ replicas }: CaptureModel, { secondary, against }: ClockFit): Restart[] =>
  [secondary + 1, against].flatMap((replica) =>
    (replicas[replica].restarts ?? []).map((at) => ({ replica, at })),
  );

function restartFinding(model: CaptureModel, { replica, at }: Restart, of: number): Finding {
  const name = replicaName(model, replica);
  const sentence = `The counter of ${name} began again at ${formatTimeOfDay(model.origin, at, 0)}: its machine booted. Times before and after that are aligned separately.`;
  return plainFinding("D13", "clock_step", "none", sentence, {
    replica: of,
    window: { from: at, to: at },
    threshold: "a counter that falls by over 1 min",
    source: "AG Lens default",
    checkNext: [`Search the Windows system log of ${name} for events 6005, 6008 and 1074`],
  });
}

/** A UTC clock that was set moves no time of a capture: all are on the first primary's counter. */
function utcFindings(model: CaptureModel): Finding[] {
  return model.replicas.flatMap(({ utcChanges = [] }, replica) =>
    utcChanges.map(({ from, to, us }) => {
      const name = replicaName(model, replica);
      const [after, before] = formatTimesOfDay(model.origin, from, to);
      const sentence = `The UTC clock of ${name} changed by ${us > 0 ? "+" : ""}${formatDuration(us)} between ${after} and ${before}. Times here do not follow it.`;
      return plainFinding("D13", "clock_step", "none", sentence, {
        replica,
        window: { from, to },
        threshold: "a change of UTC by 10 s or more",
        source: "AG Lens default",
        checkNext: [`Search the Windows system log of ${name} for event 1 of Kernel-General`],
      });
    }),
  );
}

/** D13 of clocks that are not one straight line: counters by the fits of their clocks, and UTC clocks that were set. */
export const clockChanges = (model: CaptureModel): Finding[] => [
  ...counterFindings(model),
  ...utcFindings(model),
];

function counterFindings(model: CaptureModel): Finding[] {
  return model.clocks.flatMap((clock) => {
    const { secondary, against, status, windows } = clock;
    if (status !== "aligned" || windows.length < 2) return [];
    const names = `${replicaName(model, secondary + 1)} against ${replicaName(model, against)}'s`;
    const allSteps = clockSteps(clock);
    const restarts = restartsOf(model, clock);
    const steps = allSteps.filter(({ at }) => !restarts.some((restart) => isSame(restart.at, at)));
    const when = (at: number): string => formatTimeOfDay(model.origin, at, 1);
    const [first] = steps;
    const checkNext = ["Look for snapshots or live migration of the virtual machines at that time"];
    if (restarts.length > 0 && steps.length === 0)
      return restarts.map((restart) => restartFinding(model, restart, secondary + 1));
    if (first === undefined) {
      const sentence = `The counter of ${names} changes its speed at ${when(windows[1].from)}. Round trips stay exact.`;
      return [plainFinding("D13", "data_quality", "none", sentence, { replica: secondary + 1, checkNext })];
    }
    const named = steps
      .slice(0, MOST_NAMED)
      .map(({ at, us }) => `by ${us > 0 ? "+" : ""}${formatDuration(us)} at ${when(at)}`)
      .join(", ");
    const more = steps.length > MOST_NAMED ? ` and ${formatCount(steps.length - MOST_NAMED)} more times` : "";
    const sentence = `The counter of ${names} steps ${named}${more}. Round trips stay exact.`;
    return [
      ...restarts.map((restart) => restartFinding(model, restart, secondary + 1)),
      plainFinding("D13", "clock_step", "none", sentence, {
        replica: secondary + 1,
        window: { from: first.at, to: steps[steps.length - 1].at },
        threshold: "more than the clocks' uncertainty",
        source: "AG Lens default",
        checkNext,
      }),
    ];
  });
}
