import { type ReactNode, useEffect, useState } from "react";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import type { Draft } from "./draft-types.ts";
import { filesOfDrop } from "./picked-files.ts";
import styles from "./window-drop.module.css";

/** Makes the complete window a drop target, and outlines it while files are dragged over it. */
export function WindowDrop({ add }: { readonly add: Draft["add"] }): ReactNode {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent): void => {
      setDragging(false);
      if (event.dataTransfer === null) return;
      event.preventDefault();
      void filesOfDrop(event.dataTransfer).then((files) => add(files));
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [add]);
  return dragging ? <div className={styles.outline}>{texts.dropTheFilesAnywhere}</div> : null;
}
