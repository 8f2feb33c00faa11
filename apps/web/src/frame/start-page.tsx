import type { ReactNode } from "react";
import styles from "./start-page.module.css";

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
  /** Other ways next to the main one, and their purpose. */
  readonly side?: { readonly label: string; readonly content: ReactNode };
}

/** Start page of a task: a question as headline, the input that it needs, and other ways next to it. */
export function StartPage({ title, lead, children, side }: Props): ReactNode {
  return (
    <div className={styles.page}>
      <div className="stack narrows">
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      {side === undefined ? null : (
        <aside className={styles.side} aria-label={side.label}>
          {side.content}
        </aside>
      )}
    </div>
  );
}
