import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { OpenedLink } from "@aglens/contract";
import { unlockLink } from "../data/links-client.ts";
import { useCommand } from "../data/use-command.ts";
import { formatLongDay } from "@aglens/ag-model/words";
import { useReaderZone } from "../frame/use-reader-zone.ts";
import { instantText, localIso, type Zone } from "../ui/zone.ts";
import { Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import { Button } from "../ui/controls.tsx";
import styles from "./locked-link.module.css";

/** Requests the passphrase of a link; before, it shows nothing of the capture, not even its name. */
export function LockedLink({
  link,
  onUnlocked,
}: {
  readonly link: OpenedLink;
  readonly onUnlocked: () => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const zone = useReaderZone();
  const [passphrase, setPassphrase] = useState("");
  const unlock = useCommand(async () => {
    await unlockLink(link.id, passphrase);
    onUnlocked();
  });
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (passphrase.trim() !== "" && !unlock.isRunning) unlock.run();
  };
  return (
    <Page title={texts.link}>
      <form className={styles.locked} onSubmit={submit}>
        <h1>{texts.thisLinkAsks}</h1>
        <p className={styles.lead}>{texts.senderGave}</p>
        <div className={styles.row}>
          <input
            ref={field}
            className="mono"
            aria-label={texts.passphrase}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={passphrase}
            aria-invalid={unlock.error !== null}
            aria-describedby="passphrase-problem"
            onChange={(event) => setPassphrase(event.target.value)}
          />
          <Button type="submit" kind="primary" size="large" disabled={unlock.isRunning}>
            {texts.open}
          </Button>
        </div>
        <p id="passphrase-problem" className={styles.problem} role="alert">
          {unlock.error === null ? null : (
            <>
              <b className="bad">{texts.itDidNotOpen}</b> {unlock.error}
            </>
          )}
        </p>
        <dl className={styles.facts}>
          <dt className="muted">{texts.ends}</dt>
          <dd>{link.expires === null ? texts.whenItsMakerTakes : endText(link.expires, zone)}</dd>
          <dt className="muted">{texts.names}</dt>
          <dd>{link.replacesNames ? texts.serverAndDatabaseNames : texts.serverAndDatabaseNamesAreShown}</dd>
        </dl>
      </form>
    </Page>
  );
}

/** `21 December 2026, 14:52 UTC` */
function endText(iso: string, zone: Zone): string {
  const day = localIso(zone, iso).slice(0, 10);
  return `${formatLongDay(day)} ${day.slice(0, 4)}, ${instantText(zone, iso)}`;
}
