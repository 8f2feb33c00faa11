import { type ReactNode, type RefObject, useRef, useState } from "react";
import { replacedNames } from "@aglens/contract";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { PictureAxis } from "../../charts/picture-axis.tsx";
import { previewOfCapture } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { Field } from "../../frame/field.tsx";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { shareTexts as texts } from "../../messages/share.ts";
import { encodeView } from "../../state/codec.ts";
import { Button } from "../../ui/controls.tsx";
import { type CaptureTab, useCapture } from "../capture-view/capture-context.ts";
import { shownRange } from "../capture-view/shown-range.ts";
import { blockName, linkedView, namedBlock } from "../capture-view/databases.ts";
import { LinksOfCapture, MadeLink } from "./link-rows.tsx";
import { SharedCapture } from "./shared-capture.tsx";
import { FIRST_TERMS, isPassphraseShort, type LinkTerms, Terms, termsOfLink } from "./link-terms.tsx";
import { notesText, restoresText, shownRangeText, titleFor } from "./share-text.ts";
import { useLinks } from "./use-links.ts";
import styles from "./share.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly tab: CaptureTab;
}

/** Creates a link to the current view, shows its content and expiry, and can revoke it. */
export function ShareDialog({ open, onOpenChange, tab }: Props): ReactNode {
  const titleField = useRef<HTMLInputElement>(null);
  // The focus starts at the title, which the user most likely changes. Close comes last.
  const focusTitle = (): void => titleField.current?.select();
  return (
    <Modal open={open} onOpenChange={onOpenChange} title={texts.shareThisView} onFocus={focusTitle}>
      <ShareForm tab={tab} titleField={titleField} onClose={() => onOpenChange(false)} />
    </Modal>
  );
}

interface FormProps {
  readonly tab: CaptureTab;
  readonly titleField: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

function ShareForm({ tab, titleField, onClose }: FormProps): ReactNode {
  const { source, summary, view } = useCapture();
  const { value: block } = useAnswer(view.block === null ? null : source.sequence(view.block), {
    keepsValue: false,
  });
  const [title, setTitle] = useState(() => titleFor(summary, view));
  const [terms, setTerms] = useState<LinkTerms>(FIRST_TERMS);
  const links = useLinks(summary.captureId);
  const isMade = links.made !== null;
  const make = (): void =>
    links.make({
      captureId: summary.captureId,
      path: tab === "overview" ? "/" : `/${tab}`,
      view: encodeView({
        ...linkedView(view, summary),
        time: summary.zone?.kind ?? null,
        ...(block === null ? {} : { block: namedBlock(summary, block) }),
      }),
      title: title.trim() === "" ? summary.name : title.trim(),
      ...termsOfLink(terms),
    });
  return (
    <>
      <ModalBody>
        <Field label={texts.title}>
          <input
            ref={titleField}
            value={terms.replacesNames ? replacedNames(summary, summary.name).hide(title) : title}
            maxLength={200}
            disabled={isMade}
            onChange={(event) => setTitle(event.target.value)}
          />
        </Field>
        <Restores tab={tab} />
        <Terms terms={terms} onTerms={setTerms} disabled={isMade} />
        {links.made === null ? null : <MadeLink link={links.made} links={links} />}
        <SharedCapture />
        <LinksOfCapture links={links} />
        <output className={styles.notice}>{links.notice}</output>
      </ModalBody>
      <ModalFoot>
        <Button size="large" onClick={onClose}>
          {isMade ? texts.close : texts.cancel}
        </Button>
        {isMade ? null : (
          <Button
            kind="primary"
            size="large"
            disabled={links.isBusy || isPassphraseShort(terms)}
            onClick={make}
          >
            {texts.makeAndCopyLink}
          </Button>
        )}
      </ModalFoot>
    </>
  );
}

/** Content of the link for the person who opens it. */
function Restores({ tab }: { readonly tab: CaptureTab }): ReactNode {
  const { source, summary, view } = useCapture();
  const preview = useAnswer(previewOfCapture(summary.captureId));
  const notes = useAnswer(source.notes()).value;
  const block = useAnswer(view.block === null ? null : source.sequence(view.block), { keepsValue: false });
  return (
    <div className={styles.restores}>
      <div className={styles.picture}>
        <MinimapPicture
          window={preview.value}
          secondary={view.secondary}
          standing={summary}
          range={shownRange(view, summary)}
          height={40}
          label={texts.wholeCaptureTheFrame(shownRangeText(summary, view))}
        />
      </div>
      <PictureAxis capture={summary} durationUs={summary.durationUs} />
      <Problem sentence={preview.error} onRetry={preview.retry} />
      <p>
        {restoresText(summary, tab, view, block.value && blockName(summary, block.value))}{" "}
        {notes === null ? "" : notesText(notes.notes.length)}
      </p>
    </div>
  );
}
