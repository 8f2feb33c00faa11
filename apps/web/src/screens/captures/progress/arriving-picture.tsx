import { type ReactNode, useMemo } from "react";
import { PictureAxis } from "../../../charts/picture-axis.tsx";
import { ReadingPicture } from "../../../charts/reading/reading-picture.tsx";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { arrivingOf, arrivingText } from "./arriving.ts";
import type { UploadRow } from "../sending/upload-text.ts";
import styles from "../parts-screen.module.css";

const PICTURE_PX = 40;
/** Number of axis labels that fit on a narrow page. */
const OFFSETS = 5;

/**
 * Picture of a file that this page sends: events per second over the file's own time, gray until its role is known.
 * Parts that have not arrived, or are not read yet, are hatched. The picture has its place from the start, and stays
 * when the file is complete.
 */
export function ArrivingPicture({ row }: { readonly row: UploadRow }): ReactNode {
  const { key, file, size, reading, name } = row;
  const arriving = useMemo(() => arrivingOf({ file, size, reading }), [file, size, reading]);
  const rows = useMemo(() => {
    const role = file?.role === "primary" || file?.role === "secondary" ? file.role : null;
    const { steps = [], readTo = null } = arriving ?? {};
    return [{ key, name: "", role, steps, readTo: readTo === null ? [] : [readTo] }];
  }, [arriving, file, key]);
  const { from, to } = arriving ?? { from: 0, to: 0 };
  return (
    <figure className={styles.arriving}>
      <ReadingPicture
        from={from}
        to={to}
        rows={rows}
        height={PICTURE_PX}
        label={texts.eventsPerSecond(name)}
      />
      <PictureAxis durationUs={(to - from) * 1_000} count={OFFSETS} />
      <figcaption>{arrivingText(row, arriving)}</figcaption>
    </figure>
  );
}
