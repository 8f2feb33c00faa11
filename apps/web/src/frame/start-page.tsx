import type { ReactNode } from "react";
import styles from "./start-page.module.css";

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
  readonly side: ReactNode;
  /** What the side is for. */
  readonly sideLabel: string;
}

/** Where something begins: a question as headline, what is needed for it, and other ways beside it. */
export function StartPage({ title, lead, children, side, sideLabel }: Props): ReactNode {
  return (
    <div className={styles.page}>
      <div className="stack narrows">
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      <aside className={styles.side} aria-label={sideLabel}>
        {side}
      </aside>
    </div>
  );
}
