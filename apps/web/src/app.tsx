import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { Route, Switch } from "wouter";
import { CapturesScreen } from "./screens/captures/captures-screen.tsx";
import { CapturePage } from "./pages/capture-page.tsx";
import { Message, Page } from "./frame/page.tsx";
import { LinkPage } from "./pages/link-page.tsx";
import { applyTheme } from "./state/theme.ts";
import { useTheme } from "./state/use-theme.ts";

const OverviewScreen = lazy(async () => ({
  default: (await import("./screens/overview/overview-screen.tsx")).OverviewScreen,
}));
const TimelineScreen = lazy(async () => ({
  default: (await import("./screens/timeline/timeline-screen.tsx")).TimelineScreen,
}));
const SequenceScreen = lazy(async () => ({
  default: (await import("./screens/sequence/sequence-screen.tsx")).SequenceScreen,
}));
const LiveScreen = lazy(async () => ({
  default: (await import("./screens/live/live-screen.tsx")).LiveScreen,
}));
const AttachScreen = lazy(async () => ({
  default: (await import("./screens/live/attach-screen.tsx")).AttachScreen,
}));

/** Routes of the product, and the theme that every one of them wears. */
export function App(): ReactNode {
  const { theme } = useTheme();
  useEffect(() => {
    applyTheme(theme);
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => applyTheme(theme);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [theme]);
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/">
          <CapturesScreen />
        </Route>
        <Route path="/captures/:id">
          {({ id }) => <CapturePage key={id} id={id} tab="overview" Screen={OverviewScreen} />}
        </Route>
        <Route path="/captures/:id/timeline">
          {({ id }) => <CapturePage key={id} id={id} tab="timeline" Screen={TimelineScreen} />}
        </Route>
        <Route path="/captures/:id/sequence">
          {({ id }) => <CapturePage key={id} id={id} tab="sequence" Screen={SequenceScreen} />}
        </Route>
        <Route path="/live">
          <AttachScreen />
        </Route>
        <Route path="/live/:id">{({ id }) => <LiveScreen key={id} id={id} />}</Route>
        <Route path="/l/:linkId">{({ linkId }) => <LinkPage id={linkId} />}</Route>
        <Route>
          <Page title="No such page">
            <Message
              title="There is no page at this address."
              detail="Check the link, or start from your captures."
            />
          </Page>
        </Route>
      </Switch>
    </Suspense>
  );
}
