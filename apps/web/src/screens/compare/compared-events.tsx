import type { ReactNode } from "react";
import type { EvidenceAnswer, EvidenceKind } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import { happenedTexts } from "../../messages/happened.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { failoverText, hasFacts, useEvidence } from "../capture-view/use-evidence.ts";
import type { ChosenSide } from "./use-comparison.ts";
import styles from "./compare.module.css";

const KINDS = Object.keys(texts.kinds) as EvidenceKind[];
/** Sentences of each side. */
const MOST_FAILOVERS = 3;

/** Events of the servers in both ranges by kind, and the causes of failovers; null without evidence files on both sides. */
export function ComparedEvents({ a, b }: { readonly a: ChosenSide; readonly b: ChosenSide }): ReactNode {
  const { view } = useCapture();
  const ofA = useEvidence();
  const other = useAnswer(ofA === null || view.versus === null ? null : b.source.evidence(), {
    keepsValue: false,
  });
  const ofB = view.versus === null ? ofA : other.value;
  if (!hasFacts(ofA) || !hasFacts(ofB)) return null;
  const [inA, inB] = [happenedIn(ofA, a.range), happenedIn(ofB, b.range)];
  const rows = KINDS.flatMap((kind) => {
    const row = { kind, a: inA.counts.get(kind) ?? 0, b: inB.counts.get(kind) ?? 0 };
    return row.a + row.b === 0 ? [] : [row];
  });
  const sides = [
    { name: "A", side: a, ...inA },
    { name: "B", side: b, ...inB },
  ];
  return (
    <section className={styles.happened} aria-label={happenedTexts.whatHappened}>
      <h2>{happenedTexts.whatHappened}</h2>
      {rows.length === 0 ? (
        <p className={styles.more}>{texts.noEvent}</p>
      ) : (
        <FigureTable<(typeof rows)[number]>
          className={styles.changes}
          aria-label={texts.eventsByKind}
          rows={rows}
          rowKey={({ kind }) => kind}
          columns={[
            { id: "kind", head: texts.events, cell: ({ kind }) => texts.kinds[kind] },
            { id: "A", cell: (row) => formatCount(row.a) },
            { id: "B", cell: (row) => formatCount(row.b) },
          ]}
        />
      )}
      {sides.flatMap(({ name, side: { summary }, failovers }) => {
        if (summary === null) return [];
        const sentences = failovers.slice(0, MOST_FAILOVERS).map((each) => failoverText(summary, each));
        const more = failovers.length - sentences.length;
        return [...sentences, ...(more > 0 ? [happenedTexts.moreFailovers(more)] : [])].map((sentence, i) => (
          <p key={`${name} ${i}`} className={styles.more}>
            {texts.ofSide(name, sentence)}
          </p>
        ));
      })}
    </section>
  );
}

/** Number of events by kind in a range, and its failovers. A duration counts where it overlaps the range. */
function happenedIn({ events, failovers }: EvidenceAnswer, range: ChosenSide["range"]) {
  const [from, to] = range ?? [0, 0];
  const counts = new Map<EvidenceKind, number>();
  for (const { kind, at, from: start } of events)
    if (at >= from && (start ?? at) < to) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return {
    counts,
    failovers: failovers.filter(({ at, until }) => (until ?? at) >= from && at < to),
  };
}
