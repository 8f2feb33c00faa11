import { type ReactNode, useEffect, useRef } from "react";
import type { Link } from "@aglens/contract";
import { Button } from "../../ui/controls.tsx";
import { dayWords } from "./share-words.ts";
import { type Links, urlOf } from "./use-links.ts";
import field from "../../frame/field.module.css";
import styles from "./share.module.css";

/** The link that was just made: to copy, and to delete again. */
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
      <Button disabled={links.isBusy} onClick={() => links.remove(link)}>
        Delete link
      </Button>
    </div>
  );
}

/** Links of this capture made before in this browser: the only place from which they can be deleted. */
export function EarlierLinks({ links }: { readonly links: Links }): ReactNode {
  if (links.earlier.length === 0) return null;
  return (
    <section className={styles.earlier} aria-label="Links you made before">
      <h3>Links you made before</h3>
      <ul>
        {links.earlier.map((link) => (
          <li key={link.id}>
            <span className={styles.title} title={link.title}>
              {link.title}
            </span>
            <span className={`quiet ${styles.until}`}>
              {link.expires === null ? "no end" : `until ${dayWords(link.expires)}`}
            </span>
            <Button aria-label={`Copy the link ${link.title}`} onClick={() => links.copy(link)}>
              Copy
            </Button>
            <Button
              disabled={links.isBusy}
              aria-label={`Delete the link ${link.title}`}
              onClick={() => links.remove(link)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
