import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { CaptureFile } from "@aglens/contract";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { Button } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { formatCount } from "../../../ui/words.ts";
import { FileLine } from "../replica-row.tsx";
import { useDraft } from "../sending/draft.ts";
import { figuresText } from "./row-figures.ts";
import type { FolderRow } from "./support-folder.ts";
import { TimeZoneChoice } from "./time-zone-choice.tsx";
import { isChoice, ROW, toggleUse } from "./use-folder-keys.ts";
import styles from "./folder.module.css";

interface Props {
  readonly rows: readonly FolderRow[];
  readonly caption: string;
  /** Every row shows its files. */
  readonly isOpen: boolean;
  /** The reason in place of use and content. */
  readonly hasReasons?: boolean;
}

/** Files by their use: a row for the files of one kind, which opens to show each of them. */
export function FolderTable({ rows, caption, isOpen, hasReasons = false }: Props): ReactNode {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const zone = useReaderZone();
  const isRowOpen = ({ key }: FolderRow): boolean => isOpen || opened.has(key);
  const toggle = ({ key }: FolderRow): void =>
    setOpened(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    );
  return (
    <FigureTable
      className={hasReasons ? styles.reasons : styles.table}
      caption={caption}
      isHeadHidden
      rows={rows}
      rowKey={({ key }) => key}
      rowProps={({ state }) => ({ "data-state": state })}
      columns={[
        {
          id: "files",
          head: texts.files,
          cell: (row) => <RowButton row={row} isOpen={isRowOpen(row)} onToggle={() => toggle(row)} />,
        },
        {
          id: "number",
          head: texts.number,
          cell: ({ files }) => formatCount(files.length),
          className: styles.count,
        },
        {
          id: "use",
          head: hasReasons ? texts.reason : texts.use,
          align: "left",
          className: styles.use,
          cell: (row) => textOfUse(row),
          cellProps: ({ use }) => ({ title: use }),
        },
        !hasReasons && {
          id: "content",
          head: texts.content,
          align: "left",
          className: styles.content,
          cell: ({ files, names, state }) =>
            state === "zone" ? <TimeZoneChoice files={files} names={names} /> : figuresText(files, zone),
        },
      ]}
      cellsBelow={(row) =>
        isRowOpen(row) ? (
          <tr className={styles.opened}>
            <td colSpan={hasReasons ? 3 : 4}>
              <ul>
                {row.files.map((file) =>
                  file.kind === "xel" ? (
                    <FileLine key={file.id} file={file} />
                  ) : (
                    <OtherFileLine key={file.id} file={file} row={row} />
                  ),
                )}
              </ul>
            </td>
          </tr>
        ) : null
      }
    />
  );
}

/** The use in few words; a sentence where it is not the usual one. */
const textOfUse = ({ kind, state, use }: FolderRow): string =>
  state === "used" || state === "zone" ? (texts.uses[kind] ?? use) : use;

interface RowButtonProps {
  readonly row: FolderRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The names of a row's files. Enter opens their list; Space uses or skips them. */
function RowButton({ row, isOpen, onToggle }: RowButtonProps): ReactNode {
  const correct = useDraft((draft) => draft.correct);
  const onSpace = (event: KeyboardEvent): void => {
    if (event.key !== " ") return;
    // A button would take it for a press when the key is released.
    event.preventDefault();
    if (event.type === "keydown") void toggleUse(row, correct);
  };
  return (
    <button
      type="button"
      className={`mono ${styles.names}`}
      title={row.files.map(({ name }) => name).join("\n")}
      aria-expanded={isOpen}
      onClick={onToggle}
      onKeyDown={onSpace}
      onKeyUp={onSpace}
      {...{ [ROW]: row.key }}
    >
      {row.names}
    </button>
  );
}

/** A file without data-movement events: its content, its time zone, and what the user can change. */
function OtherFileLine({ file, row }: { readonly file: CaptureFile; readonly row: FolderRow }): ReactNode {
  const { correct, remove } = useDraft();
  const zone = useReaderZone();
  const { id, name, given, evidenceFile } = file;
  const missed = evidenceFile?.notUnderstood.count ?? 0;
  const own = { ...row, files: [file] };
  const isSkipped = given.role === "ignored";
  const canChooseZone = row.state === "zone" || given.utcOffsetMinutes !== undefined;
  return (
    <li>
      <div className={styles.line}>
        <span className="narrows truncate mono" title={name}>
          {name}
        </span>
        <span className="quiet">{figuresText([file], zone)}</span>
        <span className="pushed" />
        {canChooseZone ? <TimeZoneChoice files={[file]} names={name} /> : null}
        {evidenceFile !== undefined && isChoice(own) ? (
          <Button
            kind="quiet"
            aria-label={isSkipped ? texts.includeNamed(name) : texts.skipFile(name)}
            onClick={() => void toggleUse(own, correct)}
          >
            {isSkipped ? texts.includeFile : texts.skip}
          </Button>
        ) : null}
        <Button kind="quiet" aria-label={texts.remove(name)} onClick={() => void remove([id])}>
          {texts.removeLabel}
        </Button>
      </div>
      <p className="quiet text-small">
        {row.use} {missed === 0 ? "" : texts.notUnderstood(missed)}
      </p>
    </li>
  );
}
