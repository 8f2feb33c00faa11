import { type ReactNode, useEffect, useRef } from "react";
import type { Link } from "@aglens/contract";
import { Button } from "../../ui/controls.tsx";
import { opensText } from "./share-text.ts";
import { type Links, urlOf } from "./use-links.ts";
import field from "../../frame/field.module.css";
import { shareTexts as texts } from "../../messages/share.ts";
import styles from "./share.module.css";

/** The link that was just created, to copy or to revoke. */
export function MadeLink({ link, links }: { readonly link: Link; readonly links: Links }): ReactNode {
  const shown = useRef<HTMLInputElement>(null);
  useEffect(() => shown.current?.select(), []);
  return (
    <div className={styles.made}>
      <input
        ref={shown}
        className={`${field.input} mono`}
        readOnly
        aria-label={texts.link}
        value={urlOf(link)}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => links.copy(link)}>{texts.copy}</Button>
      <Button disabled={links.isBusy} onClick={() => links.takeBack(link)}>
        {texts.revoke}
      </Button>
    </div>
  );
}

/** All links of the capture with the number of times they were opened; visitors are not recorded. */
export function LinksOfCapture({ links }: { readonly links: Links }): ReactNode {
  const earlier = links.all.filter(({ id }) => id !== links.made?.id);
  if (earlier.length === 0) return null;
  return (
    <section className={styles.earlier} aria-label={texts.linksOfThisCapture}>
      <h3>
        {texts.linksOfThisCaptureLabel(earlier.length)}
        <span className="quiet">{texts.opensAreCountedVisitors}</span>
      </h3>
      <ul>
        {earlier.map((link) => (
          <LinkRow key={link.id} link={link} links={links} />
        ))}
      </ul>
    </section>
  );
}

function LinkRow({ link, links }: { readonly link: Link; readonly links: Links }): ReactNode {
  const ended = links.endedWordsOf(link);
  const isOwn = links.isOwn(link);
  return (
    <li className={ended === null ? "" : styles.ended}>
      <span className="narrows truncate" title={link.title}>
        {link.title}
      </span>
      <span className={`quiet ${styles.until}`}>{ended ?? untilText(link)}</span>
      <span className={`quiet ${styles.opens}`}>{opensText(link.opens)}</span>
      {ended === null ? (
        <Button aria-label={texts.copyTheLink(link.title)} onClick={() => links.copy(link)}>
          {texts.copy}
        </Button>
      ) : null}
      {ended === null && isOwn ? (
        <Button
          disabled={links.isBusy}
          aria-label={texts.revokeTheLink(link.title)}
          onClick={() => links.takeBack(link)}
        >
          {texts.revoke}
        </Button>
      ) : null}
      {ended !== null && link.takenBack === null && isOwn ? (
        <Button
          disabled={links.isBusy}
          aria-label={texts.renewTheLink(link.title)}
          onClick={() => links.renew(link)}
        >
          {texts.renew}
        </Button>
      ) : null}
    </li>
  );
}

const untilText = ({ expires }: Link): string =>
  expires === null ? texts.noEnd : texts.until(new Date(expires).toLocaleDateString("en-GB", SHORT_DAY));
const SHORT_DAY = { day: "numeric", month: "short", year: "numeric" } as const;
