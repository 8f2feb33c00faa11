import type { ReactNode } from "react";
import styles from "./watch-edit.module.css";

interface Props {
  readonly position: number;
  readonly title: string;
  readonly children: ReactNode;
}

/** A numbered part of the form. */
export function FormSection({ position, title, children }: Props): ReactNode {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>
        <span className="quiet">{position}</span> {title}
      </h2>
      <div className="narrows">{children}</div>
    </section>
  );
}
