import { type ReactNode, useState } from "react";
import type { NewLink, z } from "@aglens/contract";
import { Check } from "../../frame/field.tsx";
import { shareTexts as texts } from "../../messages/share.ts";
import { useAccount } from "../../state/account.ts";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useEvidence } from "../capture-view/use-evidence.ts";
import { proposedPassphrase } from "./passphrase.ts";
import { expiryText, replacedText } from "./share-text.ts";
import styles from "./share.module.css";

const DAYS = ["1", "7", "30", "90", "never"] as const;
type Days = (typeof DAYS)[number];
const DAY_NUMBERS = { "1": 1, "7": 7, "30": 30, "90": 90, never: null } as const;
const DAY_WORDS: Record<Days, string> = {
  "1": "after 1 day",
  "7": "after 7 days",
  "30": "after 30 days",
  "90": "after 90 days",
  never: "never",
};
type Audience = "anyone" | "signed-in";
const FEWEST_CHARACTERS = 8;

/** Users who can open a link, its expiry, and the names that they see. */
export interface LinkTerms {
  readonly days: Days;
  /** Null leaves it to the server: signed-in users, where users sign in. */
  readonly audience: Audience | null;
  /** Null for a link without a passphrase. */
  readonly passphrase: string | null;
  readonly replacesNames: boolean;
}

export const FIRST_TERMS: LinkTerms = { days: "30", audience: null, passphrase: null, replacesNames: false };

/** The terms as the server's API expects them. */
export function termsOfLink({
  days,
  audience,
  passphrase,
  replacesNames,
}: LinkTerms): Pick<z.input<typeof NewLink>, "expiresInDays" | "audience" | "passphrase" | "replacesNames"> {
  return {
    expiresInDays: DAY_NUMBERS[days],
    replacesNames,
    ...(audience === null ? {} : { audience }),
    ...(passphrase === null ? {} : { passphrase }),
  };
}

export function isPassphraseShort({ passphrase }: LinkTerms): boolean {
  return passphrase !== null && passphrase.trim().length < FEWEST_CHARACTERS;
}

interface Props {
  readonly terms: LinkTerms;
  readonly onTerms: (terms: LinkTerms) => void;
  /** The link was created, so its terms can't be changed. */
  readonly disabled: boolean;
}

export function Terms({ terms, onTerms, disabled }: Props): ReactNode {
  const { summary } = useCapture();
  const hasEvidence = useEvidence() !== null;
  const { days, replacesNames } = terms;
  const change = (part: Partial<LinkTerms>): void => onTerms({ ...terms, ...part });
  return (
    <dl className={styles.terms}>
      <dt>{texts.access}</dt>
      <dd>
        <WhoCanOpen terms={terms} disabled={disabled} onAudience={(audience) => change({ audience })} />
        <span className="quiet"> {texts.readOnlyThisCapture}</span>
      </dd>
      <dt>
        <label htmlFor="share-expires">{texts.expires}</label>
      </dt>
      <dd>
        <select
          id="share-expires"
          value={days}
          disabled={disabled}
          onChange={(event) => change({ days: event.target.value as Days })}
        >
          {DAYS.map((value) => (
            <option key={value} value={value}>
              {DAY_WORDS[value]}
            </option>
          ))}
        </select>{" "}
        <span className="quiet">{expiryText(DAY_NUMBERS[days])}</span>
      </dd>
      <dt>{texts.passphrase}</dt>
      <dd>
        <PassphraseTerm
          terms={terms}
          disabled={disabled}
          onPassphrase={(passphrase) => change({ passphrase })}
        />
      </dd>
      <dt>{texts.names}</dt>
      <dd>
        <Check checked={replacesNames} disabled={disabled} onChange={(on) => change({ replacesNames: on })}>
          {replacesNames ? replacedText(summary) : texts.replaceTheNames}
        </Check>
        {replacesNames && hasEvidence ? <p className="quiet">{texts.evidenceLeftOut}</p> : null}
      </dd>
      <dt>{texts.dataSent}</dt>
      <dd>{texts.noNewData(formatCount(summary.blocks.total))}</dd>
    </dl>
  );
}

function WhoCanOpen({
  terms: { audience },
  disabled,
  onAudience,
}: {
  readonly terms: LinkTerms;
  readonly disabled: boolean;
  readonly onAudience: (audience: Audience) => void;
}): ReactNode {
  const account = useAccount();
  if (account === null) return texts.anyoneWhoReaches;
  return (
    <select
      aria-label={texts.access}
      value={audience ?? "signed-in"}
      disabled={disabled}
      onChange={(event) => onAudience(event.target.value as Audience)}
    >
      <option value="signed-in">{texts.signedInUsersWho}</option>
      <option value="anyone">{texts.anyoneWithTheLink}</option>
    </select>
  );
}

function PassphraseTerm({
  terms: { passphrase },
  disabled,
  onPassphrase,
}: {
  readonly terms: LinkTerms;
  readonly disabled: boolean;
  readonly onPassphrase: (passphrase: string | null) => void;
}): ReactNode {
  const [proposed] = useState(() => proposedPassphrase());
  return (
    <>
      <Check
        checked={passphrase !== null}
        disabled={disabled}
        onChange={(on) => onPassphrase(on ? proposed : null)}
      >
        {texts.askForAPassphrase}
      </Check>
      {passphrase === null ? null : (
        <div className={styles.passphrase}>
          <input
            className="mono"
            aria-label={texts.passphrase}
            autoComplete="off"
            spellCheck={false}
            readOnly={disabled}
            value={passphrase}
            maxLength={100}
            onChange={(event) => onPassphrase(event.target.value)}
          />
          <span className="quiet">
            {passphrase.trim().length < FEWEST_CHARACTERS
              ? texts.atLeastCharacters(FEWEST_CHARACTERS)
              : texts.shownOnlyNowNot}
          </span>
        </div>
      )}
    </>
  );
}
