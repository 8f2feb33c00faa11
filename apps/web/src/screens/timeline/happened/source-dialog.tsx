import type { ReactNode } from "react";
import { Modal, ModalBody } from "../../../frame/modal.tsx";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { formatInstant } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineSelection } from "../timeline-context.ts";
import { placeText, plusMinusText } from "../../capture-view/source-names.ts";
import styles from "./happened-pane.module.css";

/** Every line that reports the selected event, as its file has it. */
export function SourceDialog(): ReactNode {
  const { summary } = useCapture();
  const { happened } = useTimelineData();
  const { selected, showsSource, showSource } = useTimelineSelection().events;
  const event = selected === null ? undefined : happened?.answer.events[selected];
  if (event === undefined) return null;
  return (
    <Modal open={showsSource} onOpenChange={showSource} title={event.text}>
      <ModalBody label={event.text}>
        <p className="muted text">
          {formatInstant(summary, event.at, 6)} {plusMinusText(event)}
        </p>
        <ul className={styles.lines}>
          {event.sources.map((source, i) => (
            <li key={i}>
              <b>{source.file}</b>
              <small>
                {placeText(source)}, {plusMinusText(source)}
              </small>
              {source.text === null ? <p className="quiet text">{texts.noText}</p> : <pre>{source.text}</pre>}
            </li>
          ))}
        </ul>
      </ModalBody>
    </Modal>
  );
}
