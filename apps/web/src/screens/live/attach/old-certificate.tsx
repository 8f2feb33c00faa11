import { type ReactNode, useState } from "react";
import type { ShownCertificate } from "@aglens/contract";
import { Button } from "../../../ui/controls.tsx";
import { WarningIcon } from "../../../frame/icons.tsx";
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
        <legend className="sr-only">The old certificate of {server}</legend>
        {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words are inside */}
        <label data-chosen={!accepts}>
          <input type="radio" name={`old-${server}`} checked={!accepts} onChange={() => setAccepts(false)} />
          <span>
            <b>Leave {server} out until it has a SHA-256 certificate</b>
            <span>
              SQL Server Configuration Manager, Protocols, Certificate. Needs a restart of the instance. It is
              drawn as one bar meanwhile.
            </span>
          </span>
        </label>
        {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its words are inside */}
        <label data-chosen={accepts}>
          <input type="radio" name={`old-${server}`} checked={accepts} onChange={() => setAccepts(true)} />
          <span>
            <b>Accept the old certificate of {server} in this run</b>
            <span>
              The login is encrypted, but who forges a SHA-1 certificate on the way can read it and change
              answers. Only this certificate, only for this server, not remembered.
            </span>
            <span>
              {name === "" ? "" : `${name}, `}SHA-256{" "}
              <code className={styles.fingerprint}>{inPairs(fingerprint)}</code>
            </span>
          </span>
        </label>
      </fieldset>
      <div className={styles.foot}>
        <span className="quiet text">Compare the fingerprint on the server before you accept it.</span>
        <Button kind="primary" disabled={!accepts} onClick={() => onAccept(certificate)}>
          Check with it
        </Button>
      </div>
    </div>
  );
}

/** "ab:cd:…", as tools of Windows show it. */
const inPairs = (fingerprint: string): string => fingerprint.match(/../gu)?.join(":") ?? fingerprint;
