import type { ReactNode } from "react";
import styles from "./pane.module.css";

/** One of the large figures at the head of the pane. */
export function Readout({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.readout}>
      <span>{label}</span>
      {children}
    </div>
  );
}
