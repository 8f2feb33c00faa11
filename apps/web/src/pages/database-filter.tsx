import type { ReactNode } from "react";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { databaseIndex, databaseKey, databasesByName } from "../screens/capture-view/databases.ts";
import { useMedia } from "../ui/use-media.ts";

import { Kbd, Segmented } from "../ui/controls.tsx";
import strip from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";
import styles from "./database-filter.module.css";

/** With more databases, or on a narrow screen, a list needs less room than buttons. */
const MOST_SEGMENTS = 3;
const NARROW = "(max-width: 1279px)";
const ALL = "";

/** Narrows verdict, charts, tables and exports to one database; only where the capture has two or more. */
export function DatabaseFilter(): ReactNode {
  const { summary, view, setView } = useCapture();
  const isNarrow = useMedia(NARROW);
  const { databases } = summary;
  if (databases.length < 2) return null;
  const index = databaseIndex(summary, view.database);
  const value = index === null ? ALL : (databaseKey(summary, index) ?? ALL);
  const options = [
    { value: ALL, label: texts.all(databases.length) },
    ...databasesByName(summary).map((place) => ({
      value: databaseKey(summary, place) ?? ALL,
      label: databases[place]?.name ?? "",
    })),
  ];
  const choose = (key: string): void => setView({ database: key === ALL ? null : key });
  if (!isNarrow && databases.length <= MOST_SEGMENTS) {
    return (
      <div className={`${strip.item} ${styles.segments}`}>
        <span aria-hidden="true">{texts.database}</span>
        <Segmented label={texts.database} value={value} options={options} onChange={choose} />
        <Kbd>b</Kbd>
      </div>
    );
  }
  return (
    <label className={strip.item}>
      {texts.database}
      <select className={styles.choice} value={value} onChange={({ target }) => choose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
