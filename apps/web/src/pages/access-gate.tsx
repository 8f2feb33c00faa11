import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { AccessState } from "@aglens/contract";
import { withBasePath } from "../base-path.ts";
import { accessState, signOut } from "../data/access-client.ts";
import { onSignedOut } from "../data/request.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useCommand } from "../data/use-command.ts";
import { useRequest } from "../data/use-request.ts";
import { Message, Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import { SignInPage } from "../screens/access/sign-in-page.tsx";
import { SignInWays } from "../screens/access/sign-in.tsx";
import { AccountContext, asksToSignIn } from "../state/account.ts";
import { Button } from "../ui/controls.tsx";
import { KeepKeys } from "../ui/keys.ts";
import styles from "../screens/access/sign-in.module.css";

/** Shows its content only to signed-in users. On a server without sign-in it sends no request. */
export function AccessGate({ children }: { readonly children: ReactNode }): ReactNode {
  const [asks] = useState(asksToSignIn);
  return asks ? <Gate>{children}</Gate> : children;
}

function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const [location] = useLocation();
  const { value, error, retry } = useAnswer(accessState());
  const [signedIn, setSignedIn] = useState<AccessState | null>(null);
  const [ended, setEnded] = useState<Date | null>(null);
  const answers = useQueryClient();
  const state = signedIn ?? value;
  const isIn = state !== null && state.person !== null;
  useEffect(() => (isIn ? onSignedOut(() => setEnded((at) => at ?? new Date())) : undefined), [isIn]);
  const [staysAt, setStaysAt] = useState<string | null>(null);
  const leave = useCommand(async () => {
    const left = await signOut();
    answers.clear();
    setStaysAt(left.staysAt);
    if (left.staysAt === null) window.location.assign(left.leaveAt ?? withBasePath("/"));
  });
  const account = useMemo(
    () => (state?.person == null ? null : { person: state.person, signOut: leave.run }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what `run` does never changes
    [state],
  );
  const enter = (next: AccessState): void => {
    // The content of the page belongs to the user who opened it.
    if (account !== null && next.person?.id !== account.person.id) window.location.reload();
    setSignedIn(next);
    setEnded(null);
    void answers.invalidateQueries({ predicate: ({ state: { status } }) => status === "error" });
  };
  useSignedInElsewhere(ended !== null, enter);
  // A link opens for anyone whom its creator allows: its own page asks for sign-in.
  const isLink = location.startsWith("/l/");
  if (state === null) {
    return (
      <Page title="">
        {error === null ? (
          <KeepKeys />
        ) : (
          <Message title={texts.serverCannotBeAsked} detail={error} onRetry={retry} />
        )}
      </Page>
    );
  }
  if (staysAt !== null) return <LeftAlone directory={staysAt} />;
  if (state.person === null && !isLink) return <SignInPage state={state} onSignedIn={enter} />;
  if (state.person !== null && state.person.role === null && !isLink) {
    return (
      <Page title={texts.noRole}>
        <Message title={texts.youAreSigned(state.person.name)} detail={texts.askWhoRuns(state.person.id)}>
          <Button onClick={() => leave.run()}>{texts.signOut}</Button>
        </Message>
      </Page>
    );
  }
  return (
    <AccountContext value={account}>
      <div className={styles.whole}>
        {ended === null ? null : <SignedOut at={ended} state={state} onSignedIn={enter} />}
        {/* Always the same element, so that typed input inside stays. */}
        <div inert={ended !== null}>{children}</div>
      </div>
    </AccountContext>
  );
}

/** Page after signing out of AG Lens only; the previous page and its data are closed. */
function LeftAlone({ directory }: { readonly directory: string }): ReactNode {
  return (
    <Page title={texts.signedOut}>
      <Message title={texts.youAreSignedOut} detail={texts.mayStillKnowYou(directory)}>
        <Button onClick={() => window.location.assign(withBasePath("/"))}>{texts.signInAgain}</Button>
      </Message>
    </Page>
  );
}

/** The directory signs in in another tab: when the user returns to this one, it asks for the signed-in user. */
function useSignedInElsewhere(waits: boolean, onSignedIn: (state: AccessState) => void): void {
  const { send } = useRequest();
  const enter = useEffectEvent(onSignedIn);
  useEffect(() => {
    if (!waits) return undefined;
    const ask = (): void =>
      send(accessState(), (next) => {
        if (next.person !== null) enter(next);
      });
    window.addEventListener("focus", ask);
    return () => window.removeEventListener("focus", ask);
  }, [waits, send]);
}

/** Shown over the page, which stays unchanged, until a user signs in again. */
function SignedOut({
  at,
  state,
  onSignedIn,
}: {
  readonly at: Date;
  readonly state: AccessState;
  readonly onSignedIn: (state: AccessState) => void;
}): ReactNode {
  return (
    <section className={styles.ended} aria-label={texts.signedOut}>
      <output>
        {texts.signedOutAtSign(at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))}
      </output>
      <SignInWays state={state} onSignedIn={onSignedIn} opens="newTab" />
    </section>
  );
}
