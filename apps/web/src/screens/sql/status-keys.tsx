import type { ReactNode } from "react";
import { Kbd } from "../../ui/controls.tsx";
import styles from "./sql.module.css";

/** The current selection, and the keys that apply here. */
export function StatusKeys({ words }: { readonly words: string }): ReactNode {
  return (
    <span className={styles.keys}>
      {words === "" ? null : <span>{words}</span>}
      <span>
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> run
      </span>
      <span>
        <Kbd>Ctrl</Kbd> <Kbd>Space</Kbd> complete
      </span>
      <span>
        <Kbd>j</Kbd> <Kbd>k</Kbd> row
      </span>
      <span>
        <Kbd>Enter</Kbd> open the blocks of a row
      </span>
    </span>
  );
}
