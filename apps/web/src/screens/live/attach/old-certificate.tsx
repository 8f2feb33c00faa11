import { type ReactNode, useState } from "react";
import type { ShownCertificate } from "@aglens/contract";
import { Button } from "../../../ui/controls.tsx";
import { WarningIcon } from "../../../frame/icons.tsx";
import { attachTexts as texts } from "../../../messages/attach.ts";
import styles from "./server-card.module.css";

interface Props {
  readonly server: string;
  readonly sentence: string;
  readonly certificate: ShownCertificate;
  readonly onAccept: (certificate: ShownCertificate) => void;
}

/**
 * The choice for a server whose only certificate is signed with SHA-1: remove the server, or accept this certificate
 * for the run.
 */
export function OldCertificate({ server, sentence, certificate, onAccept }: Props): ReactNode {
  const [accepts, setAccepts] = useState(false);
  const { fingerprint, name } = certificate;
  return (
    <div className={styles.choice}>
      <p className={styles.refused}>
        <WarningIcon /> {sentence}
      </p>
      <fieldset>
        <legend className="sr-only">{texts.oldCertificateOf(server)}</legend>
        {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words are inside */}
        <label data-chosen={!accepts}>
          <input type="radio" name={`old-${server}`} checked={!accepts} onChange={() => setAccepts(false)} />
          <span>
            <b>{texts.leaveOutUntil(server)}</b>
            <span>{texts.sqlServerConfiguration}</span>
          </span>
        </label>
        {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words are inside */}
        <label data-chosen={accepts}>
          <input type="radio" name={`old-${server}`} checked={accepts} onChange={() => setAccepts(true)} />
          <span>
            <b>{texts.acceptTheOldCertificate(server)}</b>
            <span>{texts.loginIsEncryptedBut}</span>
            <span>
              {texts.sha256(
                name === "" ? "" : `${name}, `,
                <code className={styles.fingerprint}>{inPairs(fingerprint)}</code>,
              )}
            </span>
          </span>
        </label>
      </fieldset>
      <div className={styles.foot}>
        <span className="quiet text">{texts.compareTheFingerprint}</span>
        <Button kind="primary" disabled={!accepts} onClick={() => onAccept(certificate)}>
          {texts.checkWithIt}
        </Button>
      </div>
    </div>
  );
}

/** "ab:cd:…", as tools of Windows show it. */
const inPairs = (fingerprint: string): string => fingerprint.match(/../gu)?.join(":") ?? fingerprint;
