import { useMemo } from "react";
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { EvidenceAnswer, EvidenceSamples, Summary } from "@aglens/contract";
import type { Reference } from "../../../charts/evidence/paint-references.ts";
import { type Answer, useAnswer } from "../../../data/use-answer.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData } from "../timeline-context.ts";

/** A result of Diskspd for the volume of a server's log, with the indices of its metrics. */
interface Tested {
  readonly server: string;
  readonly volume: string;
  readonly p50: number;
  readonly p99: number | null;
}

/** Results of servers whose log's volume is known: the rule that compares them decides that. */
export function testedVolumes({
  agreement,
  metrics,
}: Pick<EvidenceAnswer, "agreement" | "metrics">): Tested[] {
  const used = agreement.filter(
    ({ rule, agrees, server }) => rule === "diskspd" && agrees !== null && server !== null,
  );
  const tested = used.flatMap(({ server, sources }): Tested[] => {
    const files = sources.map(({ file }) => file);
    const own = (index: number): boolean => {
      const { file, of } = metrics[index]!;
      return of !== null && files.includes(file);
    };
    const p50 = metrics.findIndex(({ metric }, i) => metric === "reference log write p50" && own(i));
    const p99 = metrics.findIndex(({ metric }, i) => metric === "reference log write p99" && own(i));
    const volume = metrics[p50]?.of ?? null;
    return volume === null ? [] : [{ server: server!, volume, p50, p99: p99 < 0 ? null : p99 }];
  });
  // The rule is answered for each phase.
  return [...new Map(tested.map((each) => [each.server, each])).values()];
}

/** Times in which a server was the primary or a secondary. */
export function placesOf({ phases, replicas, durationUs }: Summary, server: string): Reference["places"] {
  const index = replicas.findIndex(({ name }) => name.toUpperCase() === server.toUpperCase());
  if (index < 0) return [];
  return phases.flatMap(({ primary, commitModes, from, to }, i): Reference["places"] => {
    const period = { from: i === 0 ? 0 : from, to: i === phases.length - 1 ? durationUs : to };
    if (primary === index) return [{ figure: "localFlush", secondary: -1, ...period }];
    return commitModes.flatMap((mode, slot) =>
      mode !== null && replicaOfSlot(primary, slot) === index
        ? [{ figure: "secondaryFlush" as const, secondary: slot, ...period }]
        : [],
    );
  });
}

/** Values of the results, in the lanes of their servers' log writes. */
export function referencesOf(
  tested: readonly Tested[],
  samples: EvidenceSamples,
  summary: Summary,
): Reference[] {
  const valueOf = (metric: number | null): number | null => {
    const ms = samples.series.find((each) => each.metric === metric)?.values[0];
    return ms === null || ms === undefined ? null : ms * 1000;
  };
  return tested.flatMap(({ server, volume, p50, p99 }) => {
    const us = valueOf(p50);
    return us === null ? [] : [{ places: placesOf(summary, server), volume, p50: us, p99: valueOf(p99) }];
  });
}

const NONE: readonly Reference[] = [];

/** Samples of the results of Diskspd; nothing is asked while the lanes of evidence files are hidden. */
export function useReferenceSamples(): {
  readonly tested: readonly Tested[];
  readonly answer: Answer<EvidenceSamples>;
} {
  const { source, summary } = useCapture();
  const { happened } = useTimelineData();
  const isShown = happened !== null && happened.shown.length > 0;
  const tested = useMemo(() => (isShown ? testedVolumes(happened.answer) : []), [isShown, happened]);
  const indices = tested.flatMap(({ p50, p99 }) => (p99 === null ? [p50] : [p50, p99]));
  const answer = useAnswer(
    indices.length === 0 ? null : source.evidenceSamples({ from: 0, to: summary.durationUs }, 1, indices),
    { keepsValue: false },
  );
  return { tested, answer };
}

/** Reference lines of the lanes of log writes. */
export function useReferences(): readonly Reference[] {
  const { summary } = useCapture();
  const { tested, answer } = useReferenceSamples();
  const { value } = answer;
  return useMemo(
    () => (value === null ? NONE : referencesOf(tested, value, summary)),
    [tested, value, summary],
  );
}
