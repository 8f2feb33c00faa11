import type { ReactNode } from "react";
import { CopyCode } from "../../../frame/copy.tsx";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { Button } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { FolderTable } from "./folder-table.tsx";
import type { FolderRow, LearnedName, SupportFolder } from "./support-folder.ts";
import styles from "./folder.module.css";

interface Props {
  readonly folder: SupportFolder;
  readonly editing: boolean;
  readonly onAddFile: () => void;
  /** Shows each file with what can be corrected about it. */
  readonly onEdit: () => void;
}

/** Files to convert, files that aren't used with their reasons, and names that the files contain. */
export function FolderSide({ folder, editing, onAddFile, onEdit }: Props): ReactNode {
  const { convert, notUsed, toConvert, names, namesFrom } = folder;
  const unused = notUsed.reduce((sum, { files }) => sum + files.length, 0);
  return (
    <>
      {convert.length === 0 ? null : (
        <>
          <SideHead title={texts.needsConversion} more={texts.file(toConvert)} />
          {convert.map((row) => (
            <Conversion key={row.files[0]?.id ?? row.key} row={row} onAddFile={onAddFile} />
          ))}
        </>
      )}
      {notUsed.length === 0 ? null : (
        <>
          <SideHead title={texts.notUsed} more={texts.file(unused)} />
          <section className={`card ${styles.server}`}>
            <FolderTable rows={notUsed} caption={texts.notUsed} isOpen={editing} hasReasons />
          </section>
          {folder.withoutServer === 0 ? null : (
            <p className="muted text space-8">{texts.belongToNoServer(folder.withoutServer)}</p>
          )}
        </>
      )}
      {names.length === 0 ? null : (
        <>
          <SideHead
            title={texts.names}
            more={
              namesFrom.length === 2
                ? texts.learnedFrom.both
                : namesFrom[0] === undefined
                  ? ""
                  : texts.learnedFrom[namesFrom[0]]
            }
          />
          <section className={`card ${styles.server}`}>
            <Names names={names} onEdit={onEdit} />
          </section>
        </>
      )}
    </>
  );
}

function SideHead({ title, more }: { readonly title: string; readonly more: string }): ReactNode {
  return (
    <h2>
      {title} <span className={styles.more}>{more}</span>
    </h2>
  );
}

/** A file that only Windows can read: why, and the line that converts it. */
function Conversion({
  row,
  onAddFile,
}: {
  readonly row: FolderRow;
  readonly onAddFile: () => void;
}): ReactNode {
  const at = row.use.indexOf("relog ");
  const name = row.files[0]?.name ?? "";
  return (
    <section className={`card ${styles.conversion}`} aria-label={name}>
      <b className="mono text-small">{name}</b>
      <p className="muted text">{at === -1 ? row.use : row.use.slice(0, at)}</p>
      {at === -1 ? null : <CopyCode code={row.use.slice(at)} label={texts.relogLineOf(name)} />}
      <Button onClick={onAddFile}>{texts.addCsv}</Button>
    </section>
  );
}

function Names({
  names,
  onEdit,
}: {
  readonly names: readonly LearnedName[];
  readonly onEdit: () => void;
}): ReactNode {
  return (
    <FigureTable
      className={styles.reasons}
      caption={texts.names}
      isHeadHidden
      rows={names}
      columns={[
        {
          id: "name",
          head: texts.name,
          cell: ({ name }) =>
            name === null ? (
              <Button kind="quiet" onClick={onEdit}>
                {texts.nameIt}
              </Button>
            ) : (
              <b>{name}</b>
            ),
        },
        {
          id: "id",
          head: texts.id,
          align: "left",
          className: "mono quiet",
          cell: ({ id }) => (id === null ? "" : `${id.slice(0, 8)}…`),
          cellProps: ({ id }) => ({ title: id ?? undefined }),
        },
        {
          id: "kind",
          head: texts.kind,
          align: "left",
          className: styles.use,
          cell: ({ kind, isDisputed }) =>
            isDisputed ? `${texts.kinds[kind]}; ${texts.disputed}` : texts.kinds[kind],
        },
      ]}
    />
  );
}
