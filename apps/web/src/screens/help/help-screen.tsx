import pages from "virtual:guide";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { IS_ALONE } from "../../alone.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { KeyHint } from "../../frame/key-hint.tsx";
import { Page } from "../../frame/page.tsx";
import { helpTexts as texts } from "../../messages/help.ts";
import { navigate } from "../../state/navigate.ts";
import { useKeys } from "../../ui/keys.ts";
import { GuideBlocks } from "./guide-blocks.tsx";
import { type GuidePage, searchPages } from "./guide-pages.ts";
import styles from "./help-screen.module.css";

interface Props {
  /** Page that the address names; undefined shows the first page. */
  readonly page: string | undefined;
  /** Heading that the address names. */
  readonly section: string | undefined;
}

/** The guide: all pages with their search on the left, and the open page next to them. */
export function HelpScreen({ page: id, section }: Props): ReactNode {
  const page = id === undefined ? pages[0] : pages.find((each) => each.id === id);
  const searchField = useRef<HTMLInputElement>(null);
  const goTo = (step: number): void => {
    const next = page === undefined ? undefined : pages[pages.indexOf(page) + step];
    if (next !== undefined) navigate(`/help/${next.id}`);
  };
  useKeys({
    search: () => searchField.current?.focus(),
    previousBlock: () => goTo(-1),
    nextBlock: () => goTo(1),
    back: () => window.history.back(),
  });
  return (
    <Page
      title={page === undefined ? texts.help : texts.helpPart(page.title)}
      what="Help"
      actions={
        <>
          {IS_ALONE ? null : <TextLink href="/captures">{texts.allCaptures}</TextLink>}
          <TextLink href="/guide">{texts.captureGuide}</TextLink>
        </>
      }
      status={
        <>
          <KeyHint keys={["/"]}>{texts.searchHelp}</KeyHint>
          <KeyHint keys={["[", "]"]}>{texts.previousNextPage}</KeyHint>
          <KeyHint keys={["Esc"]}>{texts.back}</KeyHint>
        </>
      }
    >
      <div className={styles.help}>
        <Pages open={page} field={searchField} />
        {page === undefined ? <NoPage /> : <Article key={page.id} page={page} section={section} />}
      </div>
    </Page>
  );
}

const NoPage = (): ReactNode => (
  <article className={styles.article}>
    <h1>{texts.guideHasNoSuch}</h1>
    <p>{texts.chooseAPage}</p>
  </article>
);

function Article({
  page,
  section,
}: {
  readonly page: GuidePage;
  readonly section: string | undefined;
}): ReactNode {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const heading = section === undefined ? null : document.getElementById(section);
    if (heading === null) article.current?.parentElement?.scrollIntoView();
    else heading.scrollIntoView();
  }, [section]);
  return (
    <article ref={article} className={styles.article}>
      <p className="muted">{page.group}</p>
      <h1>{page.title}</h1>
      <GuideBlocks blocks={page.blocks} section={section} />
    </article>
  );
}

function Pages({
  open,
  field,
}: {
  readonly open: GuidePage | undefined;
  readonly field: React.RefObject<HTMLInputElement | null>;
}): ReactNode {
  const [search, setSearch] = useState("");
  const isSearching = search.trim() !== "";
  const found = isSearching ? searchPages(pages, search) : pages.map((page) => ({ page, sentence: null }));
  const groups = isSearching
    ? [["Pages", found] as const]
    : [...Map.groupBy(found, ({ page }) => page.group)];
  return (
    <nav className={styles.pages} aria-label={texts.pagesOfTheGuide}>
      <input
        ref={field}
        type="search"
        className={styles.search}
        aria-label={texts.searchHelpLabel}
        placeholder={texts.searchHelpLabel}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <output className="sr-only">{isSearching ? texts.pages(found.length) : ""}</output>
      {found.length === 0 ? (
        <p>
          {texts.noPageMatches(search.trim())}{" "}
          <button type="button" className={styles.clear} onClick={() => setSearch("")}>
            {texts.clearSearch}
          </button>
        </p>
      ) : (
        groups.map(([group, listed]) => (
          <section key={group} aria-label={group}>
            <h2>{group}</h2>
            <ul>
              {listed.map(({ page, sentence }) => (
                <li key={page.id}>
                  <Link href={`/help/${page.id}`} aria-current={page === open ? "page" : undefined}>
                    {page.title}
                    {sentence === null ? null : <small>{sentence}</small>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </nav>
  );
}
