import type { ReactNode } from "react";
import type { Sequence } from "@aglens/contract";
import { LensList } from "../../charts/sequence/lenses.tsx";
import { SequencePicture } from "../../charts/sequence/picture.tsx";
import { UprightPicture } from "../../charts/sequence/upright-picture.tsx";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { PHONE_ON_ITS_SIDE, UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useReplicaNames } from "../capture-view/names.ts";
import { Headline } from "./headline.tsx";
import { isInSecondaryFile } from "./sequence-text.ts";
import styles from "./sequence.module.css";

/** Under this width two lenses do not fit side by side, px (docs/contribute/design.md 3). */
const LENSES_FROM_PX = 1_000;
const LEAST_PX = 640;

/** The picture of a block, as wide as the page; where lenses do not fit they become a list under it. */
export function PictureBox({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const { secondary, scale } = view;
  const names = useReplicaNames();
  const [box, { width }] = useSize<HTMLDivElement>();
  const isPhone = useMedia(UPRIGHT_PHONE);
  const isLow = useMedia(PHONE_ON_ITS_SIDE);
  const replica = summary.replicas[secondary + 1];
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  if (isPhone) {
    return (
      <div ref={box} className={styles.box}>
        <Headline sequence={sequence} />
        {width === 0 ? null : (
          <UprightPicture sequence={sequence} secondary={secondary} names={names} width={width} />
        )}
      </div>
    );
  }
  const hasLenses = width >= LENSES_FROM_PX;
  return (
    <div ref={box} className={styles.box} data-tour="sequence">
      {width === 0 ? null : (
        <SequencePicture
          sequence={sequence}
          secondary={secondary}
          names={names}
          secondaryHolds={isInSecondaryFile(sequence, summary, secondary)}
          missing={
            replica?.hasCapture
              ? texts.fileOfPrimaryDoesNotHold(names.secondary)
              : texts.noFile(names.secondary)
          }
          asynchronous={replica?.commitMode === "async"}
          uncertaintyUs={hop?.stages.find((stage) => stage.id === "wireOut")?.uncertaintyUs ?? null}
          even={scale === "even"}
          lenses={hasLenses}
          width={Math.max(width, LEAST_PX)}
          headline={isLow ? null : <Headline sequence={sequence} />}
        />
      )}
      {isLow ? <Headline sequence={sequence} /> : null}
      {width === 0 || hasLenses ? null : <LensList sequence={sequence} secondary={secondary} names={names} />}
    </div>
  );
}
