import type { ReactNode } from "react";
import { captureById } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { rawTexts as texts } from "../../messages/raw.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { BlocksList } from "./blocks-list.tsx";
import { CommitsList } from "./commits-list.tsx";
import { EventsList } from "./events-list.tsx";
import { MissingFiles } from "./missing-files.tsx";
import styles from "./raw.module.css";

const LISTS = { events: EventsList, blocks: BlocksList, commits: CommitsList };

/** Every event of a range, or its slowest blocks or commits, in rows. */
export function RawEventsScreen(): ReactNode {
  const List = LISTS[useCapture().view.rows];
  return (
    <div className={styles.screen}>
      <h1 className="sr-only">{texts.rawEvents}</h1>
      <FilesOffer />
      <List />
    </div>
  );
}

/** For users who may add files to the capture; users who open it by a link may not. */
function FilesOffer(): ReactNode {
  const { summary, canChange } = useCapture();
  const capture = useAnswer(canChange ? captureById(summary.captureId) : null).value;
  return capture === null ? null : <MissingFiles capture={capture} />;
}
