import type { ReactNode } from "react";
import styles from "./state-page.module.css";

interface Props {
  /** Before the title. */
  readonly sign?: ReactNode;
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** A capture that cannot be looked at yet: in what state it is, and what to do. */
export function StatePage({ sign, title, lead, children }: Props): ReactNode {
  const head = (
    <>
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
    </>
  );
  return (
    <div className={styles.page}>
      {sign === undefined ? (
        head
      ) : (
        <div className={styles.head}>
          {sign}
          <div>{head}</div>
        </div>
      )}
      {children}
    </div>
  );
}
