import { type ReactNode, useId, useState } from "react";
import type { CaptureWait, FacetChoice, LibraryPage, LibraryView, StorageUse } from "@aglens/contract";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { useAccount } from "../../../state/account.ts";
import { Button } from "../../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../../ui/words.ts";
import { type LibraryAddress, type LibraryFacet, NO_CHOICE, toggled } from "./library-address.ts";
import { VIEW_NAMES, WAIT_NAMES } from "./library-text.ts";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import styles from "./library-rail.module.css";

interface Props {
  readonly address: LibraryAddress;
  readonly page: LibraryPage | null;
  readonly onChange: (change: Partial<LibraryAddress>) => void;
}

/** Views, facets with counts, and the disk space of the captures. */
export function LibraryRail({ address, page, onChange }: Props): ReactNode {
  const isSignedIn = useAccount() !== null;
  const views: readonly LibraryView[] = isSignedIn
    ? ["all", "mine", "shared", "expiring", "trash"]
    : ["all", "expiring", "trash"];
  const facet = (name: LibraryFacet) => ({
    choices: page?.facets[name] ?? [],
    chosen: address[name],
    onToggle: (value: string) => onChange({ [name]: toggled(address[name], value), sel: [] }),
  });
  return (
    <div className={styles.rail}>
      <ul className={styles.views} aria-label={texts.views}>
        {views.map((view) => (
          <li key={view}>
            <button
              type="button"
              aria-current={view === address.view ? "true" : undefined}
              onClick={() => onChange({ view, ...NO_CHOICE, sel: [] })}
            >
              <span>{VIEW_NAMES[view]}</span>
              <span>{page === null ? "" : formatCount(page.views[view])}</span>
            </button>
          </li>
        ))}
      </ul>
      <Facet title={texts.group} {...facet("group")} nameOf={({ name }) => name || texts.noGroup} />
      <Facet
        title={texts.whereCommitsWait}
        {...facet("wait")}
        nameOf={({ value }) => WAIT_NAMES[value as CaptureWait] ?? value}
        hasPlaces
      />
      {isSignedIn ? (
        <Facet title={texts.owner} {...facet("owner")} nameOf={({ name }) => name || texts.noOwner} />
      ) : null}
      <Facet title={texts.tag} {...facet("tag")} nameOf={({ name }) => name} />
      <div className={styles.storage}>
        <Storage title={texts.allCaptures} use={page?.storage.all ?? null} />
        <Storage title={texts.yours} use={page?.storage.own ?? null} />
      </div>
    </div>
  );
}

/** Number of choices that are shown before the user opens the rest. */
const SHOWN = 6;

interface FacetProps {
  readonly title: string;
  readonly choices: readonly FacetChoice[];
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
  readonly nameOf: (choice: FacetChoice) => string;
  /** The choices are places: each has its mark. */
  readonly hasPlaces?: boolean;
}

function Facet({ title, choices, chosen, onToggle, nameOf, hasPlaces = false }: FacetProps): ReactNode {
  const [all, setAll] = useState(false);
  const id = useId();
  const most = all || hasPlaces ? choices.length : SHOWN;
  const shown = choices.filter(({ value }, i) => i < most || chosen.includes(value));
  if (choices.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.facet}>
      <h2 id={id}>{title}</h2>
      <ul>
        {shown.map((choice) => (
          <li key={choice.value}>
            <label data-empty={choice.count === 0}>
              <input
                type="checkbox"
                checked={chosen.includes(choice.value)}
                onChange={() => onToggle(choice.value)}
              />
              {hasPlaces ? <i className={styles.mark} data-place={choice.value} aria-hidden="true" /> : null}
              <MiddleEllipsis text={nameOf(choice)} />
              <span className="quiet pushed">{formatCount(choice.count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length < choices.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {texts.more(choices.length - shown.length)}
        </Button>
      ) : null}
    </section>
  );
}

/** A figure over this share of the limit is bold. */
const NEARLY_FULL = 0.9;

function Storage({ title, use }: { readonly title: string; readonly use: StorageUse | null }): ReactNode {
  if (use === null) return null;
  const { bytes, trash, limit } = use;
  const percent = (part: number): string => `${limit === null ? 0 : Math.min(100, (100 * part) / limit)}%`;
  return (
    <div className={styles.use}>
      <p>
        <span>{title}</span>
        <span>
          <span data-full={limit !== null && bytes > NEARLY_FULL * limit}>{formatBytes(bytes)}</span>
          {limit === null ? texts.noLimit : texts.of(formatBytes(limit))}
        </span>
      </p>
      {limit === null ? null : (
        <div className={styles.bar} aria-hidden="true">
          <i style={{ width: percent(bytes - trash) }} />
          <i data-trash style={{ width: percent(trash) }} />
        </div>
      )}
      {trash === 0 ? null : <p className={styles.trash}>{texts.inTheTrashKept(formatBytes(trash))}</p>}
      {limit !== null && bytes >= limit ? <p role="alert">{texts.uploadsStopUntilCaptures}</p> : null}
    </div>
  );
}
