import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { frameTexts as texts } from "../messages/frame.ts";
import { navigate } from "../state/navigate.ts";
import { Button, Kbd } from "../ui/controls.tsx";
import { useKeys } from "../ui/keys.ts";
import { AppBar } from "./app-bar.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { Patterns } from "./patterns.tsx";
import styles from "./page.module.css";

interface PageProps {
  /** Title of the browser tab. */
  readonly title: string;
  readonly what?: ReactNode;
  readonly tabs?: ReactNode;
  readonly actions?: ReactNode;
  readonly strip?: ReactNode;
  readonly status?: ReactNode;
  readonly statusRight?: ReactNode;
  /** Said once, in place of the status, for a moment: "Link copied". */
  readonly notice?: string;
  /** True while the content is about to be replaced. */
  readonly isBusy?: boolean;
  /**
   * True where no element of the content takes the keyboard: the content itself does, so that it can be scrolled with
   * keys.
   */
  readonly isForReading?: boolean;
  readonly children: ReactNode;
}

/** App bar, optional replica strip, content and status bar: the frame of every page. */
export function Page({
  title,
  what,
  tabs,
  actions,
  strip,
  status,
  statusRight,
  notice = "",
  isBusy = false,
  isForReading = false,
  children,
}: PageProps): ReactNode {
  const [help, setHelp] = useState(false);
  useKeys({ help: () => setHelp(true) });
  useEffect(() => {
    document.title = title === "" ? texts.agLens : texts.agLensPart(title);
  }, [title]);
  return (
    <div className={styles.page} aria-busy={isBusy}>
      <a className={styles.skip} href="#content">
        {texts.skipToTheContent}
      </a>
      <AppBar what={what} tabs={tabs}>
        {actions}
      </AppBar>
      {strip}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled with the keyboard too */}
      <main id="content" tabIndex={isForReading ? 0 : -1}>
        {children}
      </main>
      <footer className={styles.statusBar}>
        <output className={styles.notice}>{notice}</output>
        {notice === "" ? <div className={styles.status}>{status}</div> : null}
        <div className={styles.statusEnd}>{statusRight}</div>
        <Link className={styles.help} href="/help">
          {texts.help}
        </Link>
        <button
          type="button"
          className={styles.keys}
          aria-label={texts.allKeys}
          onClick={() => setHelp(true)}
        >
          <Kbd>?</Kbd> {texts.keysPart}
        </button>
      </footer>
      <Patterns />
      <KeysDialog open={help} onOpenChange={setHelp} />
    </div>
  );
}

/** A sentence on a full page: the event and the next step. */
export function Message({
  title,
  detail,
  onRetry,
  children,
}: {
  title: string;
  detail?: ReactNode;
  /** Requests the missing data again. */
  onRetry?: () => void;
  /** Controls in place of the way back to all captures. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div className={styles.message}>
      <h1>{title}</h1>
      {detail === undefined ? null : <p>{detail}</p>}
      <div className="row wrap gap-8">
        {onRetry === undefined ? null : (
          <Button kind="primary" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )}
        {children ?? <Button onClick={() => navigate("/")}>{texts.allCaptures}</Button>}
      </div>
    </div>
  );
}
