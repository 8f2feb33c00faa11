import type { ReactNode } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
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

/** In place of a screen that failed: what happened, and what can be done about it. */
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
      title="This screen failed."
      detail={`${error instanceof Error ? error.message : String(error)}\nYour captures are not affected. Load the page again; if that does not help, report this sentence with the address.`}
    >
      <Button kind="primary" onClick={() => window.location.reload()}>
        Load again
      </Button>
      <Button onClick={() => navigate("/")}>All captures</Button>
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
    return (
      <Message
        title="The server does not answer."
        detail="Check the network. This screen opens automatically as soon as the server answers; the address keeps your view."
      />
    );
  }
  if (wasLoadedAgain()) {
    return (
      <Message
        title="This part of AG Lens cannot be loaded."
        detail="The server does not give its script, also after the page was loaded again. Ask who runs the server; your captures are not affected."
      />
    );
  }
  const isOther = answer === "other";
  return (
    <Message
      title={
        isOther
          ? "The server has another version of AG Lens now."
          : "This part of AG Lens could not be loaded."
      }
      detail={
        isOther
          ? "This page was opened before it changed, and the part that you asked for is gone. Load the page again: the address keeps your view."
          : "The server answers, but its script did not come. Load the page again: the address keeps your view."
      }
    >
      <Button kind="primary" onClick={loadAgain}>
        Load again
      </Button>
    </Message>
  );
}
