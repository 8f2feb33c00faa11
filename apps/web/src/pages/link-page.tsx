import { type ReactNode, useEffect, useMemo } from "react";
import { navigate } from "../state/navigate.ts";
import { accessState } from "../data/access-client.ts";
import { linkAddress } from "../data/capture-address.ts";
import { openedLink } from "../data/links-client.ts";
import { useAnswer } from "../data/use-answer.ts";
import type { LazyScreen } from "../frame/lazy-screen.tsx";
import { Message, Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import { SignInPage } from "../screens/access/sign-in-page.tsx";
import type { CaptureTab } from "../screens/capture-view/capture-context.ts";
import { asksToSignIn, useAccount } from "../state/account.ts";
import { KeepKeys } from "../ui/keys.ts";
import { AnalyzedCapture } from "./analyzed-capture.tsx";
import { LockedLink } from "./locked-link.tsx";

interface Props {
  readonly id: string;
  readonly tab: CaptureTab;
  /** Screen of the tab. */
  readonly Screen: LazyScreen;
}

/** Page of a link, under the link's own address: its capture, read only, and nothing else of the server. */
export function LinkPage({ id, tab, Screen }: Props): ReactNode {
  const link = useAnswer(openedLink(id));
  const address = useMemo(() => linkAddress(id), [id]);
  const { value } = link;
  useEffect(() => Screen.loadAhead(), [Screen]);
  useEffect(() => {
    // The sent link is the bare address; the view that it restores is in the address from then on.
    if (value === null || value.isLocked || window.location.search !== "" || tab !== "overview") return;
    const screen = value.path === "/" ? "" : value.path;
    const query = value.view === "" ? "" : `?${value.view.replace(/^\?/u, "")}`;
    if (screen !== "" || query !== "") navigate(`${address.page}${screen}${query}`, { replace: true });
  }, [value, address, tab]);
  if (link.error !== null)
    return <EndedLink code={link.code ?? ""} detail={link.error} onRetry={link.retry} />;
  if (value === null) {
    return (
      <Page title={texts.link}>
        <KeepKeys />
      </Page>
    );
  }
  if (value.isLocked) return <LockedLink link={value} onUnlocked={link.retry} />;
  return (
    <AnalyzedCapture address={address} name={value.title} canChange={false} tab={tab} onDamage={null}>
      <Screen />
    </AnalyzedCapture>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  "link-expired": texts.thisLinkHasExpired,
  "link-taken-back": texts.thisLinkWasRevoked,
};

/** Shows neither title nor names nor picture of its capture. */
function EndedLink({
  code,
  detail,
  onRetry,
}: {
  readonly code: string;
  readonly detail: string | null;
  readonly onRetry: () => void;
}): ReactNode {
  if (code === "sign-in-needed") return <SignInForLink onSignedIn={onRetry} />;
  const title = TITLES[code];
  return (
    <Page title={texts.link}>
      <Message
        title={title ?? texts.thisLinkCannot}
        detail={detail}
        {...(title === undefined ? { onRetry } : {})}
      />
    </Page>
  );
}

function SignInForLink({ onSignedIn }: { readonly onSignedIn: () => void }): ReactNode {
  const account = useAccount();
  const state = useAnswer(asksToSignIn() && account === null ? accessState() : null);
  if (state.value === null) return <Page title={texts.link}>{null}</Page>;
  // Loads the complete page again, so that it shows the signed-in user.
  return <SignInPage state={state.value} onSignedIn={() => (onSignedIn(), window.location.reload())} />;
}
