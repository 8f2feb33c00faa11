import type { ReactNode } from "react";
import { WarningIcon } from "./icons.tsx";
import styles from "./notice.module.css";

interface Props {
  readonly children: ReactNode;
  /** Screen readers read it at once. */
  readonly role?: "alert";
}

/** A line that needs reading, after the sign for it. */
export function Notice({ children, role }: Props): ReactNode {
  return (
    <p className={styles.notice} role={role}>
      <WarningIcon /> <span>{children}</span>
    </p>
  );
}
