import { type ReactNode, type RefObject, type SubmitEvent, useMemo, useRef, useState } from "react";
import { isEvidenceTable } from "@aglens/ag-model/tables";
import { replacedNames, type Summary } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { sentenceOf } from "../../data/problem.ts";
import { Button, Segmented } from "../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import {
  type ExportChoice,
  type Exported,
  type ExportRange,
  exportRanges,
  FIRST_PARTS,
  hasRows,
  isTable,
  coversCapture,
  MOST_REPORT_BYTES,
  PARTS,
  WHAT,
} from "./export-choice.ts";
import { largestOfParts, partSizes, type PartSizes } from "./report/part-sizes.ts";
import { databaseIndex, completeText } from "../capture-view/databases.ts";
import { useEvidence } from "../capture-view/use-evidence.ts";
import { unzoomedRange } from "../capture-view/shown-range.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import { shownFilter } from "../capture-view/table-file.ts";
import type { ReportPart } from "./report/report-data.ts";
import { saveFile } from "../../frame/save-file.ts";
import { exportTexts as texts } from "../../messages/export.ts";
import { useExport, type WritingFile } from "./use-export.ts";
import styles from "./export.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Saves a report, a picture or a table of the capture, with the chosen range, format and names. */
export function ExportDialog({ open, onOpenChange }: Props): ReactNode {
  const first = useRef<HTMLDivElement>(null);
  // The focus starts at the kind of export, which the user most likely changes. Close comes last.
  const focusWhat = (): void => first.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  return (
    <Modal open={open} onOpenChange={onOpenChange} title={texts.export} width={980} onFocus={focusWhat}>
      <ExportForm first={first} onClose={() => onOpenChange(false)} />
    </Modal>
  );
}

interface FormProps {
  readonly first: RefObject<HTMLDivElement | null>;
  readonly onClose: () => void;
}

const SAVED: Partial<Record<Exported, string>> = {
  report: "report",
  capture: "capture",
  trace: texts.trace,
};
const NO_NOTES: readonly string[] = [];
const NO_SIZES: PartSizes = new Map();

/** Rows of slowest blocks to choose from. */
const SLOWEST = [10, 25, 100];

/** The part of the choice that is made in this dialog; the view provides the rest. */
type OwnChoice = Omit<ExportChoice, "range" | "database" | "phase" | "where">;

function ExportForm({ first, onClose }: FormProps): ReactNode {
  const { summary, view, source } = useCapture();
  const ranges = exportRanges(summary, view);
  const [rangeKey, setRangeKey] = useState(ranges.at(-1)?.key ?? "whole");
  const whole = { from: 0, to: summary.durationUs };
  const notes = useAnswer(source.notes()).value?.notes.map(({ text }) => text) ?? NO_NOTES;
  const [choice, setChoice] = useState<OwnChoice>({
    what: "report",
    pictureFormat: "png2",
    tableFormat: "csv",
    secondary: view.secondary,
    parts: new Set(FIRST_PARTS),
    slowest: SLOWEST[0] ?? 10,
    replacesNames: false,
    withFiles: false,
  });
  const change = (more: Partial<OwnChoice>): void => setChoice({ ...choice, ...more });
  const { what, parts } = choice;
  const chosen = ranges.find(({ key }) => key === rangeKey)?.range ?? whole;
  const [from, to] = unzoomedRange(view.range, summary);
  const range = coversCapture(what) ? { from, to } : chosen;
  const scope = {
    database: databaseIndex(summary, view.database),
    phase: phaseIndex(summary, view.phase),
    where: view.where,
  };
  const written = useExport({ ...choice, ...scope, range });
  const { file, error } = written;
  const content = what === "report" ? file?.content : null;
  const sizes = useMemo(() => (typeof content === "string" ? partSizes(content) : NO_SIZES), [content]);
  const save = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isToCreate(what, written)) written.write();
    if (file === null) return;
    saveFile(file);
    onClose();
  };
  return (
    <form onSubmit={save}>
      <ModalBody>
        <div className={styles.columns}>
          <div ref={first}>
            <WhatChoice
              value={what}
              hasTables={source.table("blocks", "csv", whole) !== null}
              onChange={(exported) => change({ what: exported })}
            />
            <FormatChoice
              choice={choice}
              hasParquet={source.table("blocks", "parquet", whole) !== null}
              onChange={change}
            />
          </div>
          <div>
            {what === "capture" ? <FilesChoice choice={choice} onChange={change} /> : null}
            {coversCapture(what) ? null : (
              <RangeChoice
                ranges={ranges}
                value={rangeKey}
                tablesOf={what === "report" ? completeText(summary, scope) : null}
                notes={[
                  filterNote(what, shownFilter({ summary, view })),
                  what === "trace" ? texts.traceOfALongRange : null,
                ]}
                onChange={setRangeKey}
              />
            )}
            {what === "report" ? (
              <PartChoice choice={choice} notes={notes.length} sizes={sizes} onChange={change} />
            ) : null}
          </div>
          {hasRows(what) ? null : (
            <Names
              summary={summary}
              replaces={choice.replacesNames}
              canHaveEvidence={what === "report" || what === "capture"}
              notes={(what === "report" && parts.has("notes")) || what === "capture" ? notes : NO_NOTES}
              onReplaces={(replacesNames) => change({ replacesNames })}
            />
          )}
        </div>
        <Problem sentence={error === null ? null : sentenceOf(error)} onRetry={written.write} />
        <TooLarge bytes={what === "report" ? written.bytes : null} sizes={sizes} />
      </ModalBody>
      <ModalFoot>
        <output className={styles.size}>
          <Size written={written} />
        </output>
        <Button size="large" onClick={onClose}>
          {texts.cancel}
        </Button>
        <SubmitButton what={what} written={written} />
      </ModalFoot>
    </form>
  );
}

/** The effect of the current filter on the saved file; null without a filter. */
function filterNote(what: Exported, filter: string | null): string | null {
  if (filter === null) return null;
  if (isEvidenceTable(what)) return null;
  if (hasRows(what)) return texts.onlyTheBlocks(filter);
  return what === "report" ? texts.slowestBlocksTheir(filter) : texts.allBlocksAreDrawn(filter);
}

/** Whether the button writes the file, and saves it when it is pressed again. */
const isToCreate = (what: Exported, { file, isWriting }: WritingFile): boolean =>
  what === "trace" && file === null && !isWriting;

function SubmitButton({
  what,
  written,
}: {
  readonly what: Exported;
  readonly written: WritingFile;
}): ReactNode {
  const isCreate = isToCreate(what, written);
  return (
    <Button type="submit" kind="primary" size="large" aria-disabled={written.file === null && !isCreate}>
      {isCreate
        ? texts.createTrace
        : texts.save(SAVED[what] ?? (isTable(what) ? texts.table : texts.picture))}
    </Button>
  );
}

function Size({ written: { file, bytes, isWriting } }: { readonly written: WritingFile }): ReactNode {
  if (isWriting) return <progress aria-label={texts.writingTheFile} />;
  if (bytes === null) return null;
  return (
    <>
      <b>{formatBytes(bytes)}</b> <code>{file?.name}</code>
    </>
  );
}

function TooLarge({ bytes, sizes }: { readonly bytes: number | null; readonly sizes: PartSizes }): ReactNode {
  if (bytes === null || bytes <= MOST_REPORT_BYTES) return null;
  const largest = PARTS.find(({ id }) => id === largestOfParts(sizes));
  return (
    <p className="bad space-12" role="alert">
      {texts.reportWouldBeMail(
        formatBytes(bytes),
        formatBytes(MOST_REPORT_BYTES),
        largest === undefined
          ? texts.leaveOutAPart
          : texts.takesLeaveItOut(largest.label, formatBytes(sizes.get(largest.id))),
      )}
    </p>
  );
}

interface WhatProps {
  readonly value: Exported;
  /** False behind a link. */
  readonly hasTables: boolean;
  readonly onChange: (what: Exported) => void;
}

function WhatChoice({ value, hasTables, onChange }: WhatProps): ReactNode {
  const hasEvidence = useEvidence() !== null;
  return (
    <fieldset className={styles.ranges}>
      <legend>{texts.what}</legend>
      {WHAT.filter(({ id }) => hasEvidence || !isEvidenceTable(id)).map(({ id, label, note }) => {
        const isOff = (hasRows(id) || id === "capture") && !hasTables;
        return (
          <label key={id}>
            <input
              type="radio"
              name="export-what"
              checked={id === value}
              disabled={isOff}
              onChange={() => onChange(id)}
            />
            <span>
              {label}
              <small>{isOff ? texts.notBehindALink : note}</small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly choice: OwnChoice;
  readonly onChange: (more: Partial<OwnChoice>) => void;
}

const TABLE_FORMATS = [
  { value: "csv", label: "CSV" },
  { value: "arrow", label: texts.arrow },
  { value: "parquet", label: texts.parquet },
] as const;

function FormatChoice({
  choice,
  hasParquet,
  onChange,
}: ChoiceProps & { readonly hasParquet: boolean }): ReactNode {
  if (choice.what === "report" || choice.what === "capture" || choice.what === "trace") return null;
  if (isTable(choice.what)) {
    return (
      <Segmented
        label={texts.format}
        value={choice.tableFormat}
        options={TABLE_FORMATS.filter(({ value }) => value !== "parquet" || hasParquet)}
        onChange={(tableFormat) => onChange({ tableFormat })}
      />
    );
  }
  return (
    <Segmented
      label={texts.format}
      value={choice.pictureFormat}
      options={[
        { value: "png1", label: texts.png },
        { value: "png2", label: texts.pngDouble },
        { value: "svg", label: texts.svg },
      ]}
      onChange={(pictureFormat) => onChange({ pictureFormat })}
    />
  );
}

/**
 * Choice to export the event files too; not available with replaced names, because the files contain the real names.
 */
function FilesChoice({ choice: { withFiles, replacesNames }, onChange }: ChoiceProps): ReactNode {
  return (
    <fieldset className={styles.names}>
      <legend>{texts.eventFiles}</legend>
      <label>
        <input
          type="checkbox"
          checked={withFiles && !replacesNames}
          disabled={replacesNames}
          onChange={(event) => onChange({ withFiles: event.target.checked })}
        />
        <span>{texts.putTheXelFiles}</span>
      </label>
      <p>{replacesNames ? texts.theyHoldTheNames : texts.withoutThemEverythingBut}</p>
    </fieldset>
  );
}

function PartChoice({
  choice: { parts, slowest, replacesNames },
  notes,
  sizes,
  onChange,
}: ChoiceProps & { readonly notes: number; readonly sizes: PartSizes }): ReactNode {
  const hasEvidence = useEvidence() !== null;
  const toggle = (part: ReportPart, on: boolean): void =>
    onChange({
      parts: new Set(PARTS.map(({ id }) => id).filter((id) => (id === part ? on : parts.has(id)))),
    });
  return (
    <>
      <fieldset className={styles.parts}>
        <legend className="flex-box spread full">
          {texts.parts}
          <small>{texts.size}</small>
        </legend>
        {PARTS.filter(({ id }) => id !== "happened" || hasEvidence).map(({ id, label }) => {
          const isOff = (id === "notes" && notes === 0) || (id === "happened" && replacesNames);
          return (
            <label key={id}>
              <input
                type="checkbox"
                checked={parts.has(id) && !isOff}
                disabled={isOff}
                onChange={(event) => toggle(id, event.target.checked)}
              />
              <span>{texts.noneInThisCapture(label, id === "notes", isOff, formatCount(notes))}</span>
              <small>{sizes.has(id) ? formatBytes(sizes.get(id)) : ""}</small>
            </label>
          );
        })}
      </fieldset>
      <label className={styles.rows}>
        {texts.slowestBlocks}{" "}
        <select
          value={slowest}
          disabled={!parts.has("slowest")}
          onChange={(event) => onChange({ slowest: Number(event.target.value) })}
        >
          {SLOWEST.map((rows) => (
            <option key={rows} value={rows}>
              {rows}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function RangeChoice({
  ranges,
  value,
  tablesOf,
  notes,
  onChange,
}: {
  readonly ranges: readonly ExportRange[];
  readonly value: string;
  /** Scope of the tables of a report; null for any other export. */
  readonly tablesOf: string | null;
  /** Sentences about the rows of the file. */
  readonly notes: readonly (string | null)[];
  readonly onChange: (key: string) => void;
}): ReactNode {
  return (
    <fieldset className={styles.ranges}>
      <legend>{tablesOf !== null ? texts.rangeOfTheTimeline : texts.range}</legend>
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
      {tablesOf !== null ? <p>{texts.verdictAndTablesStay(tablesOf)}</p> : null}
      {notes.map((note) => (note === null ? null : <p key={note}>{note}</p>))}
    </fieldset>
  );
}

function Names({
  summary,
  replaces,
  canHaveEvidence,
  notes,
  onReplaces,
}: {
  readonly summary: Summary;
  readonly replaces: boolean;
  /** Whether the file has the capture's evidence while names are not replaced. */
  readonly canHaveEvidence: boolean;
  /** Texts of the notes that the file will contain. */
  readonly notes: readonly string[];
  readonly onReplaces: (replaces: boolean) => void;
}): ReactNode {
  const { pairs, hide } = replacedNames(summary, summary.name);
  const leavesEvidenceOut = useEvidence() !== null && canHaveEvidence && replaces;
  return (
    <fieldset className={styles.names}>
      <legend>{texts.names}</legend>
      <label>
        <input type="checkbox" checked={replaces} onChange={(event) => onReplaces(event.target.checked)} />
        <span>{texts.replaceNamesOfServers}</span>
      </label>
      {replaces ? (
        <dl>
          {pairs.map(([from, to]) => (
            <div key={from}>
              <dt>{from}</dt>
              <dd className="strong">{to}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p>{replaces ? texts.alsoInFileNames : texts.namesAre}</p>
      {leavesEvidenceOut ? <p>{texts.evidenceLeftOut}</p> : null}
      {replaces && notes.length > 0 ? (
        <>
          <p>{texts.notesAsTheyWill}</p>
          <ul>
            {notes.map((text, i) => (
              <li key={i}>{hide(text)}</li>
            ))}
          </ul>
        </>
      ) : null}
    </fieldset>
  );
}
