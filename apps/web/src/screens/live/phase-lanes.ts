/** Maps lanes of an earlier phase to the rows of present lanes, with the bins of these rows. */
import { laneFigure } from "@aglens/ag-model/lanes";
import type { LiveLane, LivePhase, LivePicture, LiveReplica } from "@aglens/contract";
import { liveTexts as texts } from "../../messages/live.ts";
import type { BinStore } from "./picture.ts";

/** Index of the replica that was the primary at an instant (µs of the run); -1 when none is known. */
export function primaryAt({ phases, replicas }: Roles, at: number): number {
  const phase = phases.find(({ to }) => at < to);
  return phase?.primary ?? replicas.find(({ role }) => role === "primary")?.index ?? -1;
}

export interface Roles {
  readonly phases: readonly Pick<LivePhase, "to" | "primary">[];
  readonly replicas: readonly Pick<LiveReplica, "index" | "role">[];
}

/** Numbers of the secondaries of a run that no commit waits for, by the newest known mode of each. */
export function unawaitedSecondaries({
  lanes,
  phases,
}: Pick<LivePicture, "lanes" | "phases">): ReadonlySet<number> {
  const known = [...phases.flatMap((phase) => phase.lanes), ...lanes].filter(
    ({ commitMode }) => commitMode !== "undetermined",
  );
  const modes = new Map(known.map(({ secondary, commitMode }) => [secondary, commitMode]));
  return new Set([...modes.keys()].filter((secondary) => modes.get(secondary) === "async"));
}

/** Numbers of the secondaries of lanes, top to bottom. */
export const secondariesOf = (lanes: readonly LiveLane[]): number[] => [
  ...new Set(lanes.map(({ secondary }) => secondary).filter((secondary) => secondary >= 0)),
];

/**
 * The secondary of a phase in the row of each present one: the same server where it was a secondary in that phase too,
 * the others in their order (as slots do after a failover in a capture).
 */
function secondariesThen(present: readonly LiveLane[], then: readonly LiveLane[]): Map<number, number> {
  const [now, before] = [secondariesOf(present), secondariesOf(then)];
  const others = before.filter((secondary) => !now.includes(secondary));
  return new Map(
    now.flatMap((secondary) => {
      const one = before.includes(secondary) ? secondary : others.shift();
      return one === undefined ? [] : [[secondary, one] as const];
    }),
  );
}

/** The lane of a phase in the row of a present lane; null when the row was empty then. */
export function laneOfPhase(
  lane: LiveLane,
  present: readonly LiveLane[],
  then: readonly LiveLane[],
): LiveLane | null {
  const secondary = lane.secondary < 0 ? -1 : secondariesThen(present, then).get(lane.secondary);
  const figure = laneFigure(lane.key);
  return then.find((each) => each.secondary === secondary && laneFigure(each.key) === figure) ?? null;
}

/** Bins by present lane; bins of earlier phases come from the lanes that were in its row at that time. */
export function binsByRow(
  bins: BinStore | null,
  present: readonly LiveLane[],
  phases: readonly LivePhase[],
): BinStore | null {
  if (bins === null || !phases.some(({ to }) => to > bins.firstBin * bins.width)) return bins;
  const rows = present.map((lane) => ({
    key: lane.key,
    earlier: phases.map((phase) => ({ ...phase, key: laneOfPhase(lane, present, phase.lanes)?.key })),
  }));
  const composed = (columns: BinStore["p50"]): Map<string, Float64Array> =>
    new Map([
      ...columns,
      ...rows.map(({ key, earlier }) => {
        const column = columns.get(key)?.slice() ?? new Float64Array(bins.length).fill(Number.NaN);
        for (const phase of earlier) {
          const [first, end] = [phase.from, phase.to].map((at) =>
            Math.min(Math.max(Math.floor(at / bins.width) - bins.firstBin, 0), bins.length),
          );
          const own = phase.key === undefined ? undefined : columns.get(phase.key);
          for (let bin = first!; bin < end!; bin++) column[bin] = own?.[bin] ?? Number.NaN;
        }
        return [key, column] as const;
      }),
    ]);
  return { ...bins, p50: composed(bins.p50), max: composed(bins.max) };
}

/** A change of names in a lane: what it shows before an instant, and from then on. */
export interface Plate {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** Name plates of the lanes whose heading changed with a phase. */
export function platesOf(
  present: readonly LiveLane[],
  phases: readonly LivePhase[],
): ReadonlyMap<string, readonly Plate[]> {
  const plates = (lane: LiveLane): Plate[] => {
    const headings = [
      ...phases.map((phase) => laneOfPhase(lane, present, phase.lanes)?.heading ?? ""),
      lane.heading,
    ];
    return phases.flatMap(({ to }, i) =>
      headings[i] === headings[i + 1] ? [] : [{ at: to, before: headings[i]!, after: headings[i + 1]! }],
    );
  };
  return new Map(present.map((lane) => [lane.key, plates(lane)]));
}

/** Marks of a run: marks of users and rules, and each role change. */
export const marksOf = (
  state: Pick<LivePicture, "marks" | "phases" | "replicas">,
): { readonly at: number; readonly label: string; readonly byRule: boolean }[] => [
  ...state.marks,
  ...roleChangesOf(state).map((mark) => ({ ...mark, byRule: true })),
];

/** Times at which another replica became the primary: the end of each phase that another phase follows. */
export function roleChangesOf({
  phases,
  replicas,
}: Pick<LivePicture, "phases" | "replicas">): { readonly at: number; readonly label: string }[] {
  const present = replicas.find(({ role }) => role === "primary")?.index ?? -1;
  const primaries = [...phases.map(({ primary }) => primary), present];
  return phases.flatMap(({ to }, i) => {
    const next = primaries[i + 1]!;
    return next < 0 || next === primaries[i]
      ? []
      : [{ at: to, label: texts.becomesPrimary(replicas[next]?.name) }];
  });
}
