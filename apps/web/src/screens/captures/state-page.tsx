import type { ReactNode } from "react";
import styles from "./state-page.module.css";

interface Props {
  /** Before the title. */
  readonly sign?: ReactNode;
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** Page of a capture that cannot be opened yet: its state, and the possible actions. */
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
