import type { ReactNode } from "react";
import styles from "./page-title.module.css";

interface Props {
  readonly name: string;
  /** Beside the name: when it was, whom it is about. */
  readonly note?: string;
  /** The note's rest, left out in windows that have no room for it. */
  readonly more?: string;
  /** What the note means, in full. */
  readonly tip?: string;
}

/** What is open, in the app bar. */
export function PageTitle({ name, note, more, tip }: Props): ReactNode {
  return (
    <>
      <b className={styles.name} title={name}>
        {name}
      </b>
      {note === undefined ? null : (
        <span className={styles.note} title={tip}>
          {note}
          {more === undefined ? null : <span className={styles.more}>{more}</span>}
        </span>
      )}
    </>
  );
}
