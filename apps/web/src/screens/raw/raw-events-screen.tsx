import type { ReactNode } from "react";
import { useCapture } from "../capture-context.ts";
import { BlocksList } from "./blocks-list.tsx";
import { CommitsList } from "./commits-list.tsx";
import { EventsList } from "./events-list.tsx";
import styles from "./raw.module.css";

const LISTS = { events: EventsList, blocks: BlocksList, commits: CommitsList };

/** Every event of a range, or its slowest blocks or commits, in rows. */
export function RawEventsScreen(): ReactNode {
  const List = LISTS[useCapture().view.rows];
  return (
    <div className={styles.screen}>
      <h1 className="sr-only">Raw events</h1>
      <List />
    </div>
  );
}
