import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import styles from "./copy-code.module.css";

/** A statement to run elsewhere, with a button that copies it where the browser allows that. */
export function CopyCode({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  return (
    <div className={styles.code}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
