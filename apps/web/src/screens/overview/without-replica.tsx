import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { databaseIndex } from "../database.ts";
import { primaryMoved } from "../phase.ts";
import styles from "./without-replica.module.css";

/** Share of commits that a replica must release for the question what they would take without it: of one, and of several. */
const MOST_COMMITS = 0.5;
const SOME_COMMITS = 0.1;

/** The server answers one question of a capture after the other: charts and table are asked for first. */
const AFTER_CHARTS_MS = 400;

/**
 * Synchronous secondaries worth the question, most releases first: the one that releases over half of the commits, or, where
 * several can release them, those that release a tenth or more.
 */
export function releasingReplicas({ commits, replicas }: Pick<Summary, "commits" | "replicas">): string[] {
  const all = commits.gates.reduce((sum, n) => sum + n, 0);
  const waitedFor = replicas.flatMap(({ name, commitMode }, i) =>
    i === 0 || commitMode === "async" ? [] : [{ name, released: commits.gates[i] ?? 0 }],
  );
  const least = waitedFor.length > 1 ? SOME_COMMITS : MOST_COMMITS;
  return waitedFor
    .filter(({ released }) => released > least * all)
    .toSorted((a, b) => b.released - a.released)
    .map(({ name }) => name);
}

/** `without SQL3 p95 6.01 ms instead of 70.7 ms`, a link to the prediction, for each replica that is worth the question. */
export function WithoutReplicas(): ReactNode {
  const { summary, view } = useCapture();
  // A prediction is of the whole capture, and of one primary: beside figures of a part it would be compared with others.
  const isWhole = databaseIndex(summary, view.database) === null && !primaryMoved(summary);
  if (!isWhole) return null;
  return releasingReplicas(summary).map((name) => <WithoutReplica key={name} name={name} />);
}

function WithoutReplica({ name }: { readonly name: string }): ReactNode {
  const { source, open } = useCapture();
  const change = `async:${name}`;
  const { value } = useAnswer(source.prediction(change), { pauseMs: AFTER_CHARTS_MS });
  const chosen = value?.chosen ?? null;
  if (chosen === null || !chosen.canTell) return null;
  return (
    <li>
      <button type="button" className={styles.link} onClick={() => open("what-if", { change })}>
        without {name} p95 <b>{durationText(chosen.predicted.p95)}</b> instead of{" "}
        <b>{durationText(chosen.measured.p95)}</b>
      </button>
    </li>
  );
}
