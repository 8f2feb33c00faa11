import type { ReactNode } from "react";
import { pictureText } from "../../charts/query/paint-picture.ts";
import type { Picture } from "../../charts/query/picture.ts";
import { QueryPicture } from "../../charts/query/query-picture.tsx";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { useSize } from "../../ui/use-size.ts";
import styles from "./sql.module.css";

/** Minimum height of a panel that can be read. */
const LEAST_PANEL_PX = 130;
/** Number of panels that fit without scrolling. */
const SHOWN_PANELS = 6;
const WORDS_PX = 30;

interface Props {
  readonly picture: Picture | null;
  readonly selected: number | null;
  readonly onSelect: (row: number) => void;
}

/** The picture of the rows, in the available height. */
export function ResultPicture({ picture, selected, onSelect }: Props): ReactNode {
  const [box, { height }] = useSize<HTMLDivElement>();
  if (picture === null) return <p className={styles.nothing}>{texts.pictureNeedsATime}</p>;
  const { length } = picture.panels;
  const room = Math.max(0, height - WORDS_PX);
  const least = length > SHOWN_PANELS ? (length * room) / SHOWN_PANELS : room;
  return (
    <div ref={box} className={styles.picture}>
      <QueryPicture
        picture={picture}
        selected={selected}
        height={Math.max(length * LEAST_PANEL_PX, least)}
        onSelect={onSelect}
      />
      <p>{pictureText(picture)}</p>
    </div>
  );
}
