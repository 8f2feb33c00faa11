import { Fragment, type ReactNode } from "react";
import type { RawEvents } from "@aglens/contract";
import type { Answer } from "../../data/use-answer.ts";
import { rawTexts as texts } from "../../messages/raw.ts";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { rolesOf } from "../capture-view/phases.ts";
import styles from "./raw.module.css";

/**
 * Event names with their counts, and replicas: the list shows the checked ones, or everything where none is checked.
 */
export function EventFilters({ counted }: { readonly counted: Answer<RawEvents> }): ReactNode {
  return (
    <>
      <NameChoice counted={counted.value} isCounting={counted.value === null && counted.error === null} />
      <ReplicaChoice />
    </>
  );
}

interface NameCount {
  readonly name: string;
  readonly count: number;
  readonly onPrimary: number;
}

interface NameProps {
  readonly counted: RawEvents | null;
  /** The number of names is not known yet; the parts below are shown together with the names. */
  readonly isCounting: boolean;
}

function NameChoice({ counted, isCounting }: NameProps): ReactNode {
  const { view, setView } = useCapture();
  const names = withChosen(countsByName(counted), view.eventNames);
  const most = Math.max(1, ...names.map(({ count }) => count));
  const { eventNames } = view;
  return (
    <fieldset className={styles.choice} aria-busy={isCounting}>
      <legend>
        {texts.eventNames}
        {counted === null ? null : (
          <small>{eventNames.length === 0 ? names.length : texts.of(eventNames.length, names.length)}</small>
        )}
      </legend>
      {names.map(({ name, count, onPrimary }) => (
        <label key={name} title={texts.altClickOnly(name)}>
          <input
            type="checkbox"
            aria-label={`${name}, ${counted === null ? texts.notCounted : formatCount(count)}`}
            checked={eventNames.includes(name)}
            // With Alt only this one.
            onChange={({ nativeEvent }) =>
              setView({ eventNames: isWithAlt(nativeEvent) ? [name] : toggled(eventNames, name) }, "replace")
            }
          />
          <code>{breakable(name)}</code>
          <span className={styles.share} aria-hidden="true">
            <i style={{ width: `${(100 * onPrimary) / most}%`, background: "var(--p-disk)" }} />
            <i style={{ width: `${(100 * (count - onPrimary)) / most}%`, background: "var(--s-disk)" }} />
          </span>
          <span className="text-small figures">{counted === null ? "–" : formatCount(count)}</span>
        </label>
      ))}
      {counted === null || counted.next === null ? null : (
        <p className={styles.note}>
          {texts.countsOfTheFirst(formatCount(counted.read), formatCount(counted.total))}
        </p>
      )}
    </fieldset>
  );
}

function ReplicaChoice(): ReactNode {
  const { summary, view, setView } = useCapture();
  const { eventReplicas } = view;
  return (
    <fieldset className={styles.choice}>
      <legend>{texts.replica}</legend>
      {summary.replicas.map(({ name, hasCapture }, replica) => (
        <label key={name}>
          <input
            type="checkbox"
            disabled={!hasCapture}
            checked={eventReplicas.includes(replica)}
            onChange={() => setView({ eventReplicas: toggled(eventReplicas, replica) }, "replace")}
          />
          <span>
            {name}, {hasCapture ? rolesOf(summary, replica).join(" › ") : texts.noFile}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A name that can break into a second line after any of its words. */
const breakable = (name: string): ReactNode =>
  name.split("_").map((word, i) => (
    <Fragment key={i}>
      {i === 0 ? "" : "_"}
      {i === 0 ? null : <wbr />}
      {word}
    </Fragment>
  ));

const isWithAlt = (event: Event): boolean => event instanceof MouseEvent && event.altKey;

function toggled<T>(chosen: readonly T[], one: T): T[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}

/** Most frequent first. */
function countsByName(counted: RawEvents | null): NameCount[] {
  const byName = new Map<string, NameCount>();
  for (const { name, replica, count } of counted?.names ?? []) {
    const known = byName.get(name) ?? { name, count: 0, onPrimary: 0 };
    byName.set(name, {
      name,
      count: known.count + count,
      onPrimary: known.onPrimary + (replica === 0 ? count : 0),
    });
  }
  return [...byName.values()].toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

/** A selected name can be cleared even if it is not among the counted names. */
const withChosen = (names: NameCount[], chosen: readonly string[]): NameCount[] => [
  ...names,
  ...chosen
    .filter((name) => names.every((one) => one.name !== name))
    .map((name) => ({ name, count: 0, onPrimary: 0 })),
];
