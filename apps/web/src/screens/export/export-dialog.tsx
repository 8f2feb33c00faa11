import { type ReactNode, type RefObject, type SubmitEvent, useRef, useState } from "react";
import type { Summary } from "@aglens/contract";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { sentenceOf } from "../../data/problem.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { nameReplacements } from "../replaced-names.ts";
import { type ExportRange, exportRanges, PARTS } from "./export-words.ts";
import type { ReportPart } from "./report/report-data.ts";
import { saveFile } from "./save-file.ts";
import { MOST_REPORT_BYTES, useReport } from "./use-report.ts";
import styles from "./export.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Saves a report of the capture as one file: what it shows, over which stretch, under which names. */
export function ExportDialog({ open, onOpenChange }: Props): ReactNode {
  const first = useRef<HTMLDivElement>(null);
  // What one most likely changes is the stretch; Close is the last thing to offer.
  const focusStretch = (): void => first.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  return (
    <Modal open={open} onOpenChange={onOpenChange} title="Export" width={880} onFocus={focusStretch}>
      <ExportForm first={first} onClose={() => onOpenChange(false)} />
    </Modal>
  );
}

interface FormProps {
  readonly first: RefObject<HTMLDivElement | null>;
  readonly onClose: () => void;
}

/** Rows of slowest blocks to choose from. */
const SLOWEST = [10, 25, 100];
const FIRST_PARTS: readonly ReportPart[] = [
  "verdict",
  "overview",
  "timeline",
  "sequences",
  "slowest",
  "stages",
];

function ExportForm({ first, onClose }: FormProps): ReactNode {
  const { summary, view } = useCapture();
  const ranges = exportRanges(summary, view);
  const [rangeKey, setRangeKey] = useState(ranges.at(-1)?.key ?? "whole");
  const [parts, setParts] = useState<ReadonlySet<ReportPart>>(new Set(FIRST_PARTS));
  const [slowest, setSlowest] = useState(SLOWEST[0] ?? 10);
  const [replacesNames, setReplacesNames] = useState(false);
  const { range } = ranges.find(({ key }) => key === rangeKey) ?? {
    range: { from: 0, to: summary.durationUs },
  };
  const report = useReport({ range, secondary: view.secondary, parts, slowest, replacesNames });
  const { file, error, bytes } = report;
  const isTooLarge = bytes !== null && bytes > MOST_REPORT_BYTES;
  const toggle = (part: ReportPart, on: boolean): void =>
    setParts(new Set(PARTS.map(({ id }) => id).filter((id) => (id === part ? on : parts.has(id)))));
  const save = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (file === null) return;
    saveFile(file);
    onClose();
  };
  return (
    <form onSubmit={save}>
      <ModalBody>
        <div className={styles.columns}>
          <div ref={first}>
            <RangeChoice ranges={ranges} value={rangeKey} onChange={setRangeKey} />
            <fieldset className={styles.parts}>
              <legend>Parts</legend>
              {PARTS.map(({ id, label }) => (
                <label key={id}>
                  <input
                    type="checkbox"
                    checked={parts.has(id)}
                    onChange={(event) => toggle(id, event.target.checked)}
                  />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
            <label className={styles.rows}>
              Slowest blocks{" "}
              <select
                value={slowest}
                disabled={!parts.has("slowest")}
                onChange={(event) => setSlowest(Number(event.target.value))}
              >
                {SLOWEST.map((rows) => (
                  <option key={rows} value={rows}>
                    {rows}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <Names summary={summary} replaces={replacesNames} onReplaces={setReplacesNames} />
        </div>
        <Problem sentence={error === null ? null : sentenceOf(error)} onRetry={report.retry} />
        {isTooLarge ? (
          <p className={styles.tooLarge} role="alert">
            The report would be {formatBytes(bytes)}; mail and tickets often take no more than{" "}
            {formatBytes(MOST_REPORT_BYTES)}. Leave out{" "}
            {parts.has("blocks") ? "the table of all blocks" : "the timeline"}, or choose a shorter stretch.
          </p>
        ) : null}
      </ModalBody>
      <ModalFoot>
        <output className={styles.size}>
          {bytes === null ? (
            <progress aria-label="Writing the report" />
          ) : (
            <>
              <b>{formatBytes(bytes)}</b> <code>{file?.name}</code>
            </>
          )}
        </output>
        <Button size="large" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" size="large" aria-disabled={file === null}>
          Save report
        </Button>
      </ModalFoot>
    </form>
  );
}

function RangeChoice({
  ranges,
  value,
  onChange,
}: {
  readonly ranges: readonly ExportRange[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}): ReactNode {
  return (
    <fieldset className={styles.ranges}>
      <legend>Stretch of the timeline</legend>
      {ranges.map(({ key, label, note }) => (
        <label key={key}>
          <input
            type="radio"
            name="export-range"
            value={key}
            checked={key === value}
            onChange={() => onChange(key)}
          />
          <span>
            {label}
            <small>{note}</small>
          </span>
        </label>
      ))}
      <p>Verdict and tables stay those of the whole capture.</p>
    </fieldset>
  );
}

function Names({
  summary,
  replaces,
  onReplaces,
}: {
  readonly summary: Summary;
  readonly replaces: boolean;
  readonly onReplaces: (replaces: boolean) => void;
}): ReactNode {
  return (
    <fieldset className={styles.names}>
      <legend>Names</legend>
      <label>
        <input type="checkbox" checked={replaces} onChange={(event) => onReplaces(event.target.checked)} />
        <span>Replace names of servers, databases and the capture</span>
      </label>
      {replaces ? (
        <dl>
          {nameReplacements(summary).map(([from, to]) => (
            <div key={from}>
              <dt>{from}</dt>
              <dd>{to}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p>
        {replaces
          ? "Also in file names. LSNs, sizes and times stay. The file does not hold what replaced what."
          : "Names are in the file as in the capture."}
      </p>
    </fieldset>
  );
}
