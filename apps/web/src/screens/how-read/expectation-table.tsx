import { type ReactNode, useEffect, useRef } from "react";
import type { Expectation } from "@aglens/contract";
import { CheckIcon, CloseIcon, WarningIcon } from "../../frame/icons.tsx";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { formatCount } from "../../ui/words.ts";
import { countText, inGroups, STATE_WORDS } from "./expectation-text.ts";
import styles from "./how-read.module.css";

interface Props {
  readonly rows: readonly Expectation[];
  readonly chosen: Expectation | null;
  readonly onChoose: (expectation: Expectation) => void;
}

/**
 * Every expectation by its group: its state, the data of these files, the share that meets it, and the results that
 * depend on it.
 */
export function ExpectationTable({ rows, chosen, onChoose }: Props): ReactNode {
  return (
    <div className={styles.card}>
      <table className={styles.table} aria-label={texts.expectations}>
        <thead>
          <tr>
            <th scope="col" className={styles.state}>
              <span className="sr-only">{texts.state}</span>
            </th>
            <th scope="col">{texts.expectation}</th>
            <th scope="col" className={styles.found}>
              {texts.readInTheseFiles}
            </th>
            <th scope="col" className={styles.number}>
              {texts.met}
            </th>
            <th scope="col" className={styles.number}>
              {texts.notMetLabel}
            </th>
            <th scope="col" className={styles.results}>
              {texts.resultsThatRest}
            </th>
          </tr>
        </thead>
        {inGroups(rows).map((group) => (
          <tbody key={group.name}>
            <tr className={styles.group}>
              <th scope="rowgroup" colSpan={6}>
                {group.name}
              </th>
            </tr>
            {group.rows.map((row) => (
              <Row key={row.id} row={row} isChosen={row === chosen} onChoose={() => onChoose(row)} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: Expectation;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ row, isChosen, onChoose }: RowProps): ReactNode {
  const { state, title, found, unit, met, notMet, results } = row;
  const element = useRef<HTMLTableRowElement>(null);
  // When the page opens, the user first reads its sentence, so only a step scrolls.
  const wasChosen = useRef(isChosen);
  useEffect(() => {
    if (isChosen && !wasChosen.current) element.current?.scrollIntoView({ block: "nearest" });
    wasChosen.current = isChosen;
  }, [isChosen]);
  const count = (value: number): string => (state === "absent" ? "–" : formatCount(value));
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- its button has the keyboard
    <tr ref={element} data-state={state} data-chosen={isChosen} title={countText(row)} onClick={onChoose}>
      <td className={styles.state} title={STATE_WORDS[state]}>
        <StateSign state={state} />
      </td>
      <th scope="row">
        <button type="button" aria-pressed={isChosen}>
          {title}
        </button>
      </th>
      <td className={styles.found}>
        <div>
          <span>{found}</span>
          <span className="rigid quiet text-small">{unit}</span>
        </div>
      </td>
      <td className={styles.number}>{count(met)}</td>
      <td className={`${styles.number} ${styles.notMet}`} data-some={notMet > 0}>
        {count(notMet)}
      </td>
      <td className={styles.results}>{results}</td>
    </tr>
  );
}

/** A sign for sighted users and a word for screen readers: the color isn't the only difference. */
function StateSign({ state }: Pick<Expectation, "state">): ReactNode {
  const sign = {
    met: <CheckIcon size={12} />,
    part: <WarningIcon size={12} />,
    not: <CloseIcon size={12} />,
    absent: <span aria-hidden="true">–</span>,
  }[state];
  return (
    <>
      {sign}
      <span className="sr-only">{STATE_WORDS[state]}</span>
    </>
  );
}
