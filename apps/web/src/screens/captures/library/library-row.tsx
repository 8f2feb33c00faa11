import type { ReactNode } from "react";
import { Link } from "wouter";
import type { LibraryCapture } from "@aglens/contract";
import { Chip } from "../../../ui/controls.tsx";
import { durationText, formatBytes } from "../../../ui/words.ts";
import { dayInstantText, localIso, UTC } from "../../../ui/zone.ts";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { MinimapGlyph } from "./glyph.tsx";
import { isSlow } from "../verdict-text.ts";
import { capturedText, daysLeft, shortVerdict, WAIT_NAMES } from "./library-text.ts";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import styles from "./library-table.module.css";

interface Props {
  readonly capture: LibraryCapture;
  /** Index in the complete list, from 0. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly hasOwner: boolean;
  readonly hasTags: boolean;
  /** UTC, ISO 8601. */
  readonly now: string;
  readonly onToggle: () => void;
  readonly onFocus: () => void;
}

/** A capture in one line. */
export function LibraryRow({
  capture,
  index,
  isSelected,
  hasOwner,
  hasTags,
  now,
  onToggle,
  onFocus,
}: Props): ReactNode {
  const {
    id,
    name,
    groupName,
    wait,
    p95Us,
    from,
    created,
    durationUs,
    bytes,
    owner,
    tags,
    expires,
    trashed,
  } = capture;
  const verdict = shortVerdict(capture);
  const zone = useReaderZone();
  const captured = from ?? created;
  const left = daysLeft(trashed === null ? expires : trashed.restorableUntil, now);
  return (
    <tr
      data-row={index}
      data-selected={isSelected}
      aria-rowindex={index + 2}
      className={styles.row}
      onFocus={onFocus}
    >
      <td className={styles.tick}>
        <input type="checkbox" aria-label={texts.select(name)} checked={isSelected} onChange={onToggle} />
      </td>
      <td data-column="group">{groupName === null ? "–" : <MiddleEllipsis text={groupName} />}</td>
      <td data-column="name">
        {trashed === null ? (
          <Link href={`/captures/${id}`} aria-label={name}>
            <MiddleEllipsis text={name} />
          </Link>
        ) : (
          <MiddleEllipsis text={name} />
        )}
      </td>
      <td data-column="minimap">
        <MinimapGlyph {...capture} />
      </td>
      <td data-column="verdict" title={capture.verdict ?? verdict}>
        <i className={styles.place} data-place={wait} title={WAIT_NAMES[wait]} aria-hidden="true" />
        <span className={styles.verdict}>{verdict}</span>
      </td>
      <td data-column="p95" data-slow={isSlow(p95Us)}>
        {p95Us === null ? "–" : durationText(p95Us)}
      </td>
      <td data-column="captured" title={dayInstantText(UTC, captured, 19)}>
        {capturedText(localIso(zone, captured), localIso(zone, now))}
      </td>
      <td data-column="length">{durationText(durationUs)}</td>
      <td data-column="size">{formatBytes(bytes)}</td>
      {hasOwner ? (
        <td data-column="owner" title={owner?.name ?? ""}>
          {owner?.name ?? texts.noOwner}
        </td>
      ) : null}
      {hasTags ? (
        <td data-column="tag" title={tags.join(", ")}>
          {tags.map((tag) => (
            <Chip key={tag}>{tag}</Chip>
          ))}
        </td>
      ) : null}
      <td data-column="expires" data-soon={left.isSoon}>
        {left.words}
        {left.unit === "" ? null : <span className="unit">{`\u2009${left.unit}`}</span>}
      </td>
    </tr>
  );
}
