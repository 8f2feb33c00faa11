import type { ReactNode } from "react";
import { Segmented } from "../../ui/controls.tsx";
import { useLiveRun } from "./live-run-context.ts";
import strip from "../../frame/strip.module.css";
import { liveTexts as texts } from "../../messages/live.ts";
import styles from "./live-strip.module.css";

/** With more databases than this a list takes less space than buttons. */
const MOST_SEGMENTS = 3;
const ALL = "";

/** Narrows lanes, figures and verdict to one database; only where the run has two or more. */
export function DatabaseFilter(): ReactNode {
  const { state, database, chooseDatabase } = useLiveRun();
  const names = state.databases.toSorted((a, b) => a.localeCompare(b, "en"));
  if (names.length < 2 || state.state === "stopped") return null;
  const all = texts.all(names.length);
  const labelOf = (name: string): string =>
    databaseLabel(name, state.containedSystemDatabases.includes(name));
  const choose = (name: string): void => chooseDatabase(name === ALL ? null : name);
  if (names.length <= MOST_SEGMENTS) {
    const options = [
      { value: ALL, label: all },
      ...names.map((name) => ({ value: name, label: labelOf(name) })),
    ];
    return (
      <div className={strip.item}>
        <Segmented label={texts.database} value={database ?? ALL} options={options} onChange={choose} />
      </div>
    );
  }
  return (
    <div className={strip.item}>
      <select
        className={styles.databases}
        aria-label={texts.database}
        value={database ?? ALL}
        onChange={(event) => choose(event.target.value)}
      >
        <option value={ALL}>{all}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {labelOf(name)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Label of a database in the list: the master and msdb of a contained availability group are marked. */
export const databaseLabel = (name: string, isContainedSystem: boolean): string =>
  isContainedSystem ? texts.containedSystem(name) : name;

/** The next or previous database in the order of the filter, which begins with "all databases". */
export function nextDatabase(
  databases: readonly string[],
  database: string | null,
  step: 1 | -1,
): string | null {
  const all = [null, ...databases.toSorted((a, b) => a.localeCompare(b, "en"))];
  return all[(Math.max(0, all.indexOf(database)) + step + all.length) % all.length] ?? null;
}
