import type { ReactNode } from "react";
import type { Watch } from "@aglens/contract";
import { WarningIcon } from "../../frame/icons.tsx";
import type { Zone } from "../../ui/zone.ts";
import { isBroken } from "./watch-list.ts";
import { stateText } from "./watch-text.ts";
import styles from "./watches.module.css";

interface Props {
  readonly watch: Watch;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
}

/** The state of a watch with its sign, and below it the limit, or since when. */
export function StateLine({ watch, zone, now }: Props): ReactNode {
  const { text, note } = stateText(watch, zone, now);
  return (
    <>
      <p className={styles.state} data-state={isBroken(watch) ? "broken" : watch.state}>
        {isBroken(watch) ? <WarningIcon size={12} /> : <i aria-hidden="true" />} <span>{text}</span>
      </p>
      <p className={`quiet ${styles.note}`}>{note}</p>
    </>
  );
}
