import type { ReactNode } from "react";
import laneFrame from "../lane-frame.module.css";
import styles from "./pane.module.css";

/** What is being read, where it will stand. Rulers and notes below would be pushed down by what comes: they are shown with it. */
export function Reading({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={`${laneFrame.sub} ${styles.reading}`}>{children}</p>;
}
