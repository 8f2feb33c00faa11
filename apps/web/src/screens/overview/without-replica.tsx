import type { ReactNode } from "react";
import { releasingReplicas } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { durationText, unbroken } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { primaryMoved } from "../capture-view/phases.ts";
import { PLACE_US } from "./figures.ts";
import styles from "./without-replica.module.css";

/** The server answers one question of a capture after the other: charts and table are asked for first. */
const AFTER_CHARTS_MS = 400;

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
  const { value, error } = useAnswer(source.prediction(change), { pauseMs: AFTER_CHARTS_MS });
  // Its place is kept, or all charts would move down when it comes.
  if (value === null && error === null)
    return (
      <li className={styles.coming} aria-hidden="true">
        without {name} p95 <b>{durationText(PLACE_US)}</b> instead of <b>{durationText(PLACE_US)}</b>
      </li>
    );
  const chosen = value?.chosen ?? null;
  if (chosen === null || !chosen.canTell) return null;
  return (
    <li>
      <button type="button" className={styles.link} onClick={() => open("what-if", { change })}>
        without {name} p95 <b>{unbroken(durationText(chosen.predicted.p95))}</b> instead of{" "}
        <b>{unbroken(durationText(chosen.measured.p95))}</b>
      </button>
    </li>
  );
}
