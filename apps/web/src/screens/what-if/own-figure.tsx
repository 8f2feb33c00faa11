import { type ReactNode, useState } from "react";
import type { Summary } from "@aglens/contract";
import { diskspdFigure } from "@aglens/evidence";
import { Field } from "../../frame/field.tsx";
import { whatIfTexts as texts } from "../../messages/what-if.ts";
import styles from "./what-if.module.css";

/** A part of the path whose duration the user can enter: the change's short form before the figure, and its label. */
interface Part {
  readonly head: string;
  readonly words: string;
  readonly takesDiskspd: boolean;
}

/** Parts of the path that this capture shows. */
export function partsOf({ replicas }: Summary): Part[] {
  return replicas.flatMap(({ name, role, hasCapture, commitMode }): Part[] => {
    const write = hasCapture
      ? [{ head: `write:${name}`, words: texts.logWrite(name), takesDiskspd: true }]
      : [];
    if (role === "primary") return write;
    if (commitMode === "async") return [];
    const network = hasCapture
      ? [{ head: `network:${name}`, words: texts.roundTripTo(name), takesDiskspd: false }]
      : [];
    const compression = {
      head: `compression:${name}`,
      words: texts.compressionTo(name),
      takesDiskspd: false,
    };
    return [...write, ...network, compression];
  });
}

interface Props {
  readonly summary: Summary;
  readonly onChange: (change: string) => void;
}

/** A duration that the user enters, or a pasted Diskspd result, for one part of the path. */
export function OwnFigure({ summary, onChange }: Props): ReactNode {
  const parts = partsOf(summary);
  const [head, setHead] = useState(parts.find((part) => part.head.startsWith("write:"))?.head ?? "");
  const [ms, setMs] = useState("");
  const [pasted, setPasted] = useState("");
  const part = parts.find((each) => each.head === head) ?? parts[0];
  if (part === undefined) return null;
  const put = (to: Part, text: string): void => {
    if (/^\d+(?:\.\d+)?$/u.test(text) && Number(text) <= 60_000) onChange(`${to.head}:${text}ms`);
  };
  const figure = pasted === "" ? null : diskspdFigure(pasted);
  return (
    <fieldset className={styles.own} aria-label={texts.ownFigure}>
      <Field label={texts.ownFigure}>
        <select
          value={part.head}
          onChange={(event) => {
            setHead(event.target.value);
            const to = parts.find((each) => each.head === event.target.value);
            if (to !== undefined) put(to, ms);
          }}
        >
          {parts.map(({ head: value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      <Field label="ms">
        <input
          inputMode="decimal"
          size={7}
          placeholder="5.00"
          value={ms}
          onChange={(event) => {
            const text = event.target.value.replace(",", ".").trim();
            setMs(text);
            put(part, text);
          }}
        />
      </Field>
      {part.takesDiskspd ? (
        <details className={styles.diskspd}>
          <summary>{texts.diskspdResult}</summary>
          <Field label={texts.percentilesAsDiskspdPrints}>
            <textarea
              rows={4}
              value={pasted}
              onChange={(event) => {
                setPasted(event.target.value);
                const found = diskspdFigure(event.target.value);
                if (found !== null) onChange(`${part.head}:${found}`);
              }}
            />
          </Field>
          <output>{pasted !== "" && figure === null ? texts.noPercentilesOfWrite : ""}</output>
        </details>
      ) : null}
    </fieldset>
  );
}
