import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { databaseIndex } from "../database.ts";
import { primaryMoved } from "../phase.ts";
import styles from "./without-replica.module.css";

/** Share of commits that a replica must release for the question what they would take without it. */
const MOST_COMMITS = 0.5;

/** The server answers one question of a capture after the other: charts and table are asked for first. */
const AFTER_CHARTS_MS = 400;

/** The synchronous secondary whose acknowledgement releases most commits; null where none releases half of them. */
export function releasingReplica({ commits, replicas }: Summary): string | null {
  const all = commits.gates.reduce((sum, n) => sum + n, 0);
  const secondary = commits.gates.findIndex((n, i) => i > 0 && n > MOST_COMMITS * all);
  const replica = replicas[secondary];
  return replica === undefined || replica.commitMode === "async" ? null : replica.name;
}

/** `without SQL3 p95 6.01 ms instead of 70.7 ms`, a link to the prediction. */
export function WithoutReplica(): ReactNode {
  const { source, summary, view, open } = useCapture();
  // A prediction is of the whole capture, and of one primary: beside figures of a part it would be compared with others.
  const isWhole = databaseIndex(summary, view.database) === null && !primaryMoved(summary);
  const name = isWhole ? releasingReplica(summary) : null;
  const change = `async:${name}`;
  const { value } = useAnswer(name === null ? null : source.prediction(change), { pauseMs: AFTER_CHARTS_MS });
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
