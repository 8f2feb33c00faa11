import { type ReactNode, useState } from "react";
import { testMessage } from "../../../data/watch-form-client.ts";
import { sentenceOf } from "../../../data/problem.ts";
import type { Watches } from "@aglens/contract";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { Button } from "../../../ui/controls.tsx";
import { instantText } from "../../../ui/zone.ts";
import { FormSection } from "./form-section.tsx";
import { useWatchForm } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

/** Receivers that an admin allowed, and their answers to a test. */
export function MessagesSection(): ReactNode {
  const { form, change, receivers } = useWatchForm();
  // Names that the file no longer has: the watch can't be saved with them.
  const [gone] = useState(() =>
    form.receivers.filter((name) => !receivers.some((each) => each.name === name)),
  );
  const choose = (name: string, isChosen: boolean): void =>
    change({
      receivers: [...receivers.map((each) => each.name), ...gone].filter((each) =>
        each === name ? isChosen : form.receivers.includes(each),
      ),
    });
  return (
    <FormSection position={5} title={texts.messages}>
      {receivers.length + gone.length === 0 ? (
        <p className="quiet">{texts.noReceivers}</p>
      ) : (
        <>
          <ul className={styles.receivers}>
            {receivers.map((receiver) => (
              <ReceiverRow
                key={receiver.name}
                receiver={receiver}
                isChosen={form.receivers.includes(receiver.name)}
                onChoose={(isChosen) => choose(receiver.name, isChosen)}
              />
            ))}
            {gone.map((name) => (
              <li key={name}>
                <input
                  type="checkbox"
                  aria-label={name}
                  checked={form.receivers.includes(name)}
                  onChange={({ target }) => choose(name, target.checked)}
                />
                <span className={`bad ${styles.gone}`}>{texts.notInFile(name)}</span>
              </li>
            ))}
          </ul>
          <p className={`${styles.under} muted text-small`}>{texts.onlyAllowed}</p>
        </>
      )}
    </FormSection>
  );
}

interface RowProps {
  readonly receiver: Watches["receivers"][number];
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

type Test =
  | { readonly is: "open" | "sending" }
  | { readonly is: "answered"; readonly at: string; readonly text: string; readonly isAccepted: boolean };

function ReceiverRow({ receiver: { name, kind, shown }, isChosen, onChoose }: RowProps): ReactNode {
  const zone = useReaderZone();
  const [test, setTest] = useState<Test>({ is: "open" });
  const send = async (): Promise<void> => {
    setTest({ is: "sending" });
    const { text, isAccepted } = await testMessage(name).catch((error: unknown) => ({
      text: sentenceOf(error),
      isAccepted: false,
    }));
    setTest({ is: "answered", at: new Date().toISOString(), text, isAccepted });
  };
  return (
    <li>
      <input
        type="checkbox"
        aria-label={name}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <b>{texts.kinds[kind]}</b>
      <span>
        {name}
        {shown === "" ? null : <span className="quiet"> {shown}</span>}
      </span>
      <output className={test.is === "answered" && !test.isAccepted ? "bad" : "quiet"}>
        {test.is === "answered"
          ? texts.sentAt(instantText(zone, test.at), test.text)
          : test.is === "sending"
            ? texts.sending
            : texts.notTested}
      </output>
      <Button
        aria-label={texts.sendTestTo(name)}
        disabled={test.is === "sending"}
        onClick={() => void send()}
      >
        {texts.sendTest}
      </Button>
    </li>
  );
}
