import type { ReactNode } from "react";
import styles from "./icon-button.module.css";

interface Props {
  readonly label: string;
  readonly tip?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that is only a sign; `label` names it. */
export function IconButton({ label, tip, onClick, children }: Props): ReactNode {
  return (
    <button type="button" className={styles.button} aria-label={label} title={tip} onClick={onClick}>
      {children}
    </button>
  );
}
