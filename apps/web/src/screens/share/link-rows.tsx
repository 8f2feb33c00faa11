import { type ReactNode, useEffect, useRef } from "react";
import type { Link } from "@aglens/contract";
import { Button } from "../../ui/controls.tsx";
import { opensWords } from "./share-words.ts";
import { type Links, urlOf } from "./use-links.ts";
import field from "../../frame/field.module.css";
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
        aria-label="Link"
        value={urlOf(link)}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => links.copy(link)}>Copy</Button>
      <Button disabled={links.isBusy} onClick={() => links.takeBack(link)}>
        Revoke
      </Button>
    </div>
  );
}

/** All links of the capture with the number of times they were opened; visitors are not recorded. */
export function LinksOfCapture({ links }: { readonly links: Links }): ReactNode {
  const earlier = links.all.filter(({ id }) => id !== links.made?.id);
  if (earlier.length === 0) return null;
  return (
    <section className={styles.earlier} aria-label="Links of this capture">
      <h3>
        Links of this capture, {earlier.length}
        <span className="quiet">opens are counted, visitors are not recorded</span>
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
      <span className={`quiet ${styles.until}`}>{ended ?? untilWords(link)}</span>
      <span className={`quiet ${styles.opens}`}>{opensWords(link.opens)}</span>
      {ended === null ? (
        <Button aria-label={`Copy the link ${link.title}`} onClick={() => links.copy(link)}>
          Copy
        </Button>
      ) : null}
      {ended === null && isOwn ? (
        <Button
          disabled={links.isBusy}
          aria-label={`Revoke the link ${link.title}`}
          onClick={() => links.takeBack(link)}
        >
          Revoke
        </Button>
      ) : null}
      {ended !== null && link.takenBack === null && isOwn ? (
        <Button
          disabled={links.isBusy}
          aria-label={`Renew the link ${link.title}`}
          onClick={() => links.renew(link)}
        >
          Renew
        </Button>
      ) : null}
    </li>
  );
}

const untilWords = ({ expires }: Link): string =>
  expires === null ? "no end" : `until ${new Date(expires).toLocaleDateString("en-GB", SHORT_DAY)}`;
const SHORT_DAY = { day: "numeric", month: "short", year: "numeric" } as const;
