import type { ReactNode } from "react";
import styles from "./start-page.module.css";

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
  /** Other ways beside it, and what they are for. */
  readonly side?: { readonly label: string; readonly content: ReactNode };
}

/** Where something begins: a question as headline, what is needed for it, and other ways beside it. */
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
