import type { ReactNode } from "react";
import { WatchStrip } from "../../charts/watch/watch-strip.tsx";
import { mayContribute } from "../../data/access-client.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { Notice } from "../../frame/notice.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Page } from "../../frame/page.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { useSize } from "../../ui/use-size.ts";
import { UTC } from "../../ui/zone.ts";
import { EXAMPLE, EXAMPLE_TIMES } from "./example.ts";
import styles from "./empty-watches.module.css";

const HEIGHT = 105;

/** The purpose of a watch, and the way to the first one. @param problem reason why no watch can be created; null where one can be */
export function EmptyWatches({ problem }: { readonly problem: string | null }): ReactNode {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const mayCreate = mayContribute(useAccount()?.person ?? null);
  const place = (hours: number): string => `${(hours / EXAMPLE_TIMES.hours) * 100}%`;
  return (
    <Page
      title={texts.watches}
      what={<PageTitle name={texts.watches} />}
      actions={
        <>
          <TextLink href="/captures">{texts.captures}</TextLink>
          <TextLink href="/fleet">{texts.fleet}</TextLink>
        </>
      }
      status={<span>{texts.noWatches}</span>}
      statusRight={texts.runsWithoutPage}
    >
      <div className={styles.page}>
        <h1>{texts.noWatchesYet}</h1>
        <p className={styles.lead}>{texts.whatWatchesAreFor}</p>
        <figure className={styles.example}>
          <div className={styles.clock} aria-hidden="true">
            {EXAMPLE_TIMES.labels.map(({ hours, label }) => (
              <span key={label} style={{ left: place(hours) }}>
                {label}
              </span>
            ))}
          </div>
          <div ref={ref} className={styles.strip}>
            <WatchStrip
              picture={EXAMPLE}
              from={EXAMPLE_TIMES.from}
              to={EXAMPLE_TIMES.to}
              width={width}
              height={HEIGHT}
              zone={UTC}
              everySeconds={5}
              name={texts.exampleName}
            >
              <span className={styles.limit}>{texts.limitOf(EXAMPLE_TIMES.limitMs)}</span>
              <span className={styles.mark} style={{ left: place(EXAMPLE_TIMES.triggerHours) }}>
                {texts.exampleVerdict}
              </span>
            </WatchStrip>
          </div>
          <figcaption>{texts.example}</figcaption>
        </figure>
        <ol className={styles.steps}>
          {texts.steps.map(({ title, text }) => (
            <li key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        {problem === null ? null : <Notice>{problem}</Notice>}
        <div className="row wrap gap-16 space-12">
          {mayCreate ? (
            <Button kind="primary" size="large" onClick={() => navigate("/watches/new")}>
              {texts.createWatch}
            </Button>
          ) : (
            <p>{texts.askContributor}</p>
          )}
          <TextLink href="/help/watches">{texts.howToWatch}</TextLink>
        </div>
      </div>
    </Page>
  );
}
