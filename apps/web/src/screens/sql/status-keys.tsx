import type { ReactNode } from "react";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { Kbd } from "../../ui/controls.tsx";
import styles from "./sql.module.css";

/** The current selection, and the keys that apply here. */
export function StatusKeys({ words }: { readonly words: string }): ReactNode {
  return (
    <span className={styles.keys}>
      {words === "" ? null : <span>{words}</span>}
      <span>
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {texts.runPart}
      </span>
      <span>
        <Kbd>Ctrl</Kbd> <Kbd>Space</Kbd> {texts.complete}
      </span>
      <span>
        <Kbd>j</Kbd> <Kbd>k</Kbd> {texts.row}
      </span>
      <span>
        <Kbd>Enter</Kbd> {texts.openTheBlocks}
      </span>
    </span>
  );
}
