import type { ReactNode } from "react";
import type { SqlFormat } from "@aglens/contract";
import type { Picture, PictureChoice } from "../../charts/query/picture.ts";
import type { Command } from "../../data/use-command.ts";
import { useCommand } from "../../data/use-command.ts";
import { LinkIcon } from "../../frame/icons.tsx";
import { Popover } from "../../frame/popover.tsx";
import { useTokens } from "../../lanes/palette.ts";
import { sqlTexts as texts } from "../../messages/sql.ts";
import type { View } from "../../state/view.ts";
import { Button, Segmented } from "../../ui/controls.tsx";
import { titleOf } from "./own-queries.ts";
import { type PictureFormat, savePicture } from "./picture-file.ts";
import { PictureMenu } from "./picture-menu.tsx";
import type { QueryResult } from "./use-query-run.ts";
import styles from "./sql.module.css";

interface Props {
  readonly last: QueryResult;
  /** Null where no picture of the rows is possible. */
  readonly picture: Picture | null;
  readonly choice: PictureChoice | null;
  readonly show: View["sqlShow"];
  readonly onShow: (show: View["sqlShow"]) => void;
  readonly onChoice: (choice: PictureChoice) => void;
  readonly onCopyLink: () => void;
  readonly save: Command<[SqlFormat]>;
}

const SHOWN = [
  { value: "table", label: texts.table },
  { value: "chart", label: texts.chart },
  { value: "both", label: texts.both },
] as const;

/** Choice of the result's view, and buttons to copy or save it. */
export function ResultBar({
  last,
  picture,
  choice,
  show,
  onShow,
  onChoice,
  onCopyLink,
  save,
}: Props): ReactNode {
  const tokens = useTokens();
  const savePictureAs = useCommand(async (format: PictureFormat) => {
    if (picture !== null) await savePicture(picture, titleOf(last.sql), format, tokens);
  });
  const error = save.error ?? savePictureAs.error;
  return (
    <div className={styles.resultBar}>
      <Segmented label={texts.shownOfTheResult} value={show} options={SHOWN} onChange={onShow} />
      {choice === null || show === "table" ? null : (
        <PictureMenu columns={last.result.columns} choice={choice} onChange={onChoice} />
      )}
      {error === null ? null : <p role="alert">{error}</p>}
      <div className="flex-box gap-8 pushed">
        <Button onClick={onCopyLink}>
          <LinkIcon /> {texts.copyLink}
        </Button>
        <Button disabled={save.isRunning} onClick={() => save.run("csv")}>
          CSV
        </Button>
        <Button disabled={save.isRunning} onClick={() => save.run("parquet")}>
          {texts.parquet}
        </Button>
        {picture === null ? null : (
          <Popover label={texts.picture} className="button plain small">
            <div className={styles.ticks}>
              <Button kind="quiet" onClick={() => savePictureAs.run("png")}>
                {texts.png}
              </Button>
              <Button kind="quiet" onClick={() => savePictureAs.run("svg")}>
                {texts.svg}
              </Button>
            </div>
          </Popover>
        )}
      </div>
    </div>
  );
}
