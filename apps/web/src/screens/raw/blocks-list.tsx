import type { ReactNode } from "react";
import { rawTexts as texts } from "../../messages/raw.ts";
import { SlowestTable } from "../slowest/slowest-table.tsx";
import { useSlowBlocks } from "../slowest/use-slow-blocks.ts";
import { ListBar, useListedRange, useListKeys } from "./slow-list.tsx";
import styles from "./raw.module.css";

/** The slowest log blocks of the range. */
export function BlocksList(): ReactNode {
  const range = useListedRange();
  const list = useSlowBlocks(range, true);
  useListKeys(list);
  return (
    <>
      <ListBar table="blocks" range={range} total={list.answer.value?.total ?? null} />
      <div className={styles.table}>
        <SlowestTable list={list} />
        {list.answer.value?.total === 0 ? <p className={styles.note}>{texts.noLogBlock}</p> : null}
      </div>
    </>
  );
}
