import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { OpenedLink } from "@aglens/contract";
import { unlockLink } from "../data/links-client.ts";
import { useCommand } from "../data/use-command.ts";
import { formatLongDay } from "@aglens/ag-model/words";
import { useReaderZone } from "../frame/use-reader-zone.ts";
import { instantText, localIso, type Zone } from "../ui/zone.ts";
import { Page } from "../frame/page.tsx";
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
    <Page title="Link">
      <form className={styles.locked} onSubmit={submit}>
        <h1>This link asks for a passphrase</h1>
        <p className={styles.lead}>
          The sender gave it to you another way. Until then nothing of the capture is shown, not even its
          name.
        </p>
        <div className={styles.row}>
          <input
            ref={field}
            className="mono"
            aria-label="Passphrase"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={passphrase}
            aria-invalid={unlock.error !== null}
            aria-describedby="passphrase-problem"
            onChange={(event) => setPassphrase(event.target.value)}
          />
          <Button type="submit" kind="primary" size="large" disabled={unlock.isRunning}>
            Open
          </Button>
        </div>
        <p id="passphrase-problem" className={styles.problem} role="alert">
          {unlock.error === null ? null : (
            <>
              <b className="bad">It did not open.</b> {unlock.error}
            </>
          )}
        </p>
        <dl className={styles.facts}>
          <dt className="muted">Ends</dt>
          <dd>{link.expires === null ? "when its maker takes it back" : endWords(link.expires, zone)}</dd>
          <dt className="muted">Names</dt>
          <dd>
            {link.replacesNames
              ? "server and database names are replaced"
              : "server and database names are shown"}
          </dd>
        </dl>
      </form>
    </Page>
  );
}

/** `21 December 2026, 14:52 UTC` */
function endWords(iso: string, zone: Zone): string {
  const day = localIso(zone, iso).slice(0, 10);
  return `${formatLongDay(day)} ${day.slice(0, 4)}, ${instantText(zone, iso)}`;
}
