import type { ReactNode } from "react";
import type { SqlResultColumn } from "@aglens/contract";
import type { PictureChoice } from "../../charts/query/picture.ts";
import { Popover } from "../../frame/popover.tsx";
import { sqlTexts as texts } from "../../messages/sql.ts";
import styles from "./sql.module.css";

interface Props {
  readonly columns: readonly SqlResultColumn[];
  readonly choice: PictureChoice;
  readonly onChange: (choice: PictureChoice) => void;
}

/** Choice of the picture's columns. */
export function PictureMenu({ columns, choice, onChange }: Props): ReactNode {
  const names = (kinds: readonly SqlResultColumn["kind"][]): string[] =>
    columns.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const numbers = names(["number"]);
  const toggled = (name: string): string[] =>
    numbers.filter((each) => (each === name ? !choice.y.includes(name) : choice.y.includes(each)));
  return (
    <div className={styles.choices}>
      <label>
        x
        <select value={choice.x} onChange={({ target }) => onChange({ ...choice, x: target.value })}>
          {names(["time", "number", "text"]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <span>y</span>
      <Popover label={choice.y.join(", ")} className={styles.popoverButton}>
        <fieldset className={styles.ticks} aria-label={texts.columnsOfThePicture}>
          {numbers.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={choice.y.includes(name)}
                disabled={choice.y.length === 1 && choice.y.includes(name)}
                onChange={() => onChange({ ...choice, y: toggled(name) })}
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Popover>
      <label>
        {texts.onePanelPer}
        <select
          value={choice.panel ?? ""}
          onChange={({ target }) => onChange({ ...choice, panel: target.value === "" ? null : target.value })}
        >
          <option value="">{texts.none}</option>
          {names(["text", "boolean"]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
