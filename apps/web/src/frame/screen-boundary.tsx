import type { ReactNode } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { frameTexts as texts } from "../messages/frame.ts";
import { navigate } from "../state/navigate.ts";
import { Button } from "../ui/controls.tsx";
import { loadAgain, MissingScript, wasLoadedAgain } from "./lazy-screen.tsx";
import { KeepKeys } from "../ui/keys.ts";
import { Message, Page } from "./page.tsx";
import { useServerAnswer } from "./server-answer.ts";

interface Props {
  /** The screen is tried again when one of these changes. */
  readonly resetKeys: readonly unknown[];
  /** True where the boundary contains the complete page: a failure is shown as a page. */
  readonly isPage?: boolean;
  readonly children: ReactNode;
}

/** Replacement for a screen that failed: the error and the next step. */
export function ScreenBoundary({ resetKeys, isPage = false, children }: Props): ReactNode {
  return (
    <ErrorBoundary resetKeys={[...resetKeys]} FallbackComponent={isPage ? FailurePage : Failure}>
      {children}
    </ErrorBoundary>
  );
}

function FailurePage(props: FallbackProps): ReactNode {
  return (
    <Page title="">
      <Failure {...props} />
    </Page>
  );
}

function Failure({ error, resetErrorBoundary }: FallbackProps): ReactNode {
  if (error instanceof MissingScript) return <MissingPart onBack={resetErrorBoundary} />;
  return (
    <Message
      title={texts.thisScreenFailed}
      detail={texts.yourCapturesAreNot(error instanceof Error ? error.message : String(error))}
    >
      <Button kind="primary" onClick={() => window.location.reload()}>
        {texts.loadAgain}
      </Button>
      <Button onClick={() => navigate("/")}>{texts.allCaptures}</Button>
    </Message>
  );
}

/**
 * A script that was not loaded: the server does not answer, has another version, or has lost a file. A reload is
 * offered once: where that did not help, repeating it does not either.
 */
function MissingPart({ onBack }: { readonly onBack: () => void }): ReactNode {
  const answer = useServerAnswer(onBack);
  if (answer === null) return <KeepKeys />;
  if (answer === "away") {
    return <Message title={texts.serverDoesNotAnswer} detail={texts.checkTheNetwork} />;
  }
  if (wasLoadedAgain()) {
    return <Message title={texts.thisPartOfAg} detail={texts.serverDoesNotGive} />;
  }
  const isOther = answer === "other";
  return (
    <Message
      title={isOther ? texts.serverHasAnotherVersion : texts.thisPartOfAgLens}
      detail={isOther ? texts.thisPageWasOpened : texts.serverAnswersBut}
    >
      <Button kind="primary" onClick={loadAgain}>
        {texts.loadAgain}
      </Button>
    </Message>
  );
}
