import type { ReactNode } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { MiddleEllipsis } from "../ui/middle-ellipsis.tsx";
import styles from "./page-title.module.css";

interface Props {
  readonly name: string;
  /** Changes the name. */
  readonly onRename?: (() => void) | undefined;
  /** Text next to the name: time of the capture, and its replicas. */
  readonly note?: string;
  /** The note's rest, hidden in windows that have no room for it. */
  readonly more?: string;
  /** Full explanation of the note. */
  readonly tip?: string;
}

/** Name of the open capture or page, in the app bar. */
export function PageTitle({ name, onRename, note, more, tip }: Props): ReactNode {
  return (
    <>
      <b className={styles.name} title={name}>
        {onRename === undefined ? (
          <MiddleEllipsis text={name} />
        ) : (
          <button
            type="button"
            aria-label={texts.changeNames(name)}
            title={texts.changeNamesF2(name)}
            onClick={onRename}
          >
            <MiddleEllipsis text={name} title={texts.changeNamesF2(name)} />
          </button>
        )}
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
