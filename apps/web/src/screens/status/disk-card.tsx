import type { ReactNode } from "react";
import type { StatusDisk } from "@aglens/contract";
import { TextLink } from "../../frame/app-bar.tsx";
import { statusTexts as texts } from "../../messages/status.ts";
import { Card } from "../../ui/controls.tsx";
import { formatBytes } from "../../ui/words.ts";
import { growthText } from "./status-text.ts";
import styles from "./disk-card.module.css";

type Part = keyof NonNullable<StatusDisk["parts"]>;

const PARTS: readonly { readonly part: Part; readonly name: string }[] = [
  { part: "captures", name: "Captures" },
  { part: "tables", name: texts.tablesAndPictures },
  { part: "uploads", name: texts.uploadsUnderWay },
  { part: "live", name: texts.liveRuns },
  { part: "trash", name: "Trash" },
  { part: "other", name: texts.catalogAndReserveFile },
  { part: "lost", name: texts.notKnown },
];

/** Where several servers keep their data in a bucket, the disk of each server only has copies, for speed. */
const COPIES: Readonly<Partial<Record<Part, string>>> = {
  captures: texts.copiesOfCaptures,
  tables: texts.copiesOfTables,
  trash: texts.copiesOfWhat,
};

interface Props {
  readonly disk: StatusDisk;
  /** Whether the server is one of several, which keep their captures in a bucket. */
  readonly isOneOfSeveral: boolean;
}

/** Data that uses the disk, in the order of the legend, and the time at which the disk is full. */
export function DiskCard({ disk, isOneOfSeveral }: Props): ReactNode {
  const { parts, free, total, keptFree } = disk;
  const percent = (bytes: number): string => `${(100 * bytes) / Math.max(1, total)}%`;
  const used = total - free;
  const own = parts === null ? 0 : PARTS.reduce((sum, { part }) => sum + parts[part], 0);
  return (
    <Card title={texts.disk} aside={texts.ofUsed(formatBytes(used), formatBytes(total), growthText(disk))}>
      <div className={styles.bar} aria-hidden="true">
        {parts === null
          ? null
          : PARTS.map(({ part }) => (
              <i
                className="rigid narrows"
                key={part}
                data-part={part}
                style={{ width: percent(parts[part]) }}
              />
            ))}
        <i className="rigid narrows" data-part="others" style={{ width: percent(Math.max(0, used - own)) }} />
        <i className="rigid narrows" data-part="reserve" style={{ width: percent(keptFree) }} />
      </div>
      {parts === null ? (
        <p className="quiet">{texts.partsAreBeingMeasured}</p>
      ) : (
        <ul className={styles.legend}>
          {PARTS.filter(({ part }) => parts[part] > 0).map(({ part, name }) => (
            <li key={part} data-part={part}>
              <i data-part={part} aria-hidden="true" />
              {(isOneOfSeveral ? COPIES[part] : undefined) ?? name} <b>{formatBytes(parts[part])}</b>
              {part === "lost" ? <TextLink href="/">{texts.lookAtThem}</TextLink> : null}
            </li>
          ))}
          <li>
            <i data-part="others" aria-hidden="true" />
            {texts.otherPrograms(<b>{formatBytes(Math.max(0, used - own))}</b>)}
          </li>
          <li>
            <i data-part="reserve" aria-hidden="true" />
            {texts.keptFreeOnlyDeleting(<b>{formatBytes(keptFree)}</b>)}
          </li>
        </ul>
      )}
    </Card>
  );
}
